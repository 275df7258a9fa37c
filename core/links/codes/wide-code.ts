import { isUtf8 } from 'node:buffer'
import { parseUrl } from '../../lib/net/parse-url.ts'
import { inForm } from '../../lib/text/normal-form.ts'

/**
 * Short codes on hosts with the wide grammar: any path that the URL Standard leaves as it is, in one Unicode normal form.
 * They are stored as people read them, and escaped only in URLs.
 */
const maxBytes = 255
const maxSegments = 8

/** What UTF-8 of another normal form may take before it is in ours. */
const maxRawBytes = 4 * maxBytes

/**
 * What cannot be in a code. In ASCII: what is no `pchar` of RFC 3986, the percent sign, and the comma, which separates codes in
 * lists. Beyond it: what nobody can see.
 */
const unfit = /["#%,<>?[\\\]^`{|}]|[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/**
 * What holds emojis together, or letters of scripts that join them, and the flags of parts of countries. Between other letters it
 * would make another code that looks the same.
 */
const joiners =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d(?=\p{Extended_Pictographic})|(?<=\p{Script=Arabic}|(?!\p{Script=Inherited})\p{M})[\u200c\u200d](?=\p{L})|(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]+\u{e007f}/gu

/** What is wrong with a code for a host with the wide grammar, as a sentence; undefined if nothing is. */
export function wrongWithWide(code: string): string | undefined {
  const [sign] = unfit.exec(code.replace(joiners, '')) ?? []
  if (sign !== undefined) return `A short code cannot contain ${nameOf(sign)}.`
  if (Buffer.byteLength(code) > maxBytes) return tooLong
  const segments = code.split('/')
  if (segments.includes('')) return emptyPart
  if (segments.length > maxSegments) return tooManyParts
  const path = `/${encodeURI(code)}`
  if (parseUrl(`http://h${path}`)?.pathname !== path) return dots
  return undefined
}

const tooLong = `A short code has at most ${maxBytes} bytes; a letter beyond ASCII has 2 to 4.`
const emptyPart = 'A short code has no slash at its beginning or its end, and no two in a row.'
const tooManyParts = `A short code has at most ${maxSegments} parts between slashes.`
const dots = 'No part of a short code can be . or .., because browsers take these out.'

function nameOf(sign: string): string {
  if (sign === ' ') return 'a space'
  return /^[!-~]$/.test(sign) ? sign : `U+${hex(sign)}`
}

function hex(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

/** How an emoji looks, as ❤ and ❤️ do: nobody hears the difference, and programs show either for both. */
const looks = /[\ufe0e\ufe0f]/g

/** A code in the form in which it is stored. */
export function inCodeForm(code: string): string {
  return inForm('NFC', code.replace(looks, ''))
}

/** The path of a code in a URL, without its first slash. */
export function pathOf(code: string): string {
  return encodeURI(code)
}

/**
 * The text that a path stands for, escaped or not, in the form of codes; undefined if it stands for none. An escaped slash is
 * no slash (RFC 3986, section 2.2), and what is not UTF-8 is nothing.
 */
export function readWide(path: string): string | undefined {
  if (path.length > 3 * maxRawBytes || /%2f/i.test(path)) return undefined
  const unescaped = path.replace(/%([\da-f]{2})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  const bytes = Buffer.from(unescaped, 'latin1')
  if (bytes.length > maxRawBytes || !isUtf8(bytes)) return undefined
  return inCodeForm(bytes.toString())
}
