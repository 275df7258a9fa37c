import { mostHeaders } from '../../lib/request-head.ts'
import { isHostText } from '../request/requested-host.ts'

/** A request that is nothing but a head, as `node:http` would read it. */
export interface ReadHead {
  readonly url: string
  /** As name, value, name, value. */
  readonly rawHeaders: readonly string[]
  /** The position after its last byte. */
  readonly end: number
}

/**
 * Reads GETs without a body, one after another; none if the bytes contain anything else. What is read here must
 * mean the same to everybody who reads it, such as a proxy in front of us, so only bytes and headers pass that
 * everybody reads alike. `node:http` gets everything else.
 */
export function readHeads(bytes: Buffer, maxBytes: number): readonly ReadHead[] {
  const text = bytes.toString('latin1')
  const heads: ReadHead[] = []
  let at = 0
  while (at < bytes.length) {
    const head = readHead(bytes, text, at)
    if (!head || head.end - at > maxBytes) return []
    heads.push(head)
    at = head.end
  }
  return heads
}

/** @param text the same bytes in Latin-1 */
function readHead(bytes: Uint8Array, text: string, from: number): ReadHead | undefined {
  if (!text.startsWith('GET /', from)) return undefined
  const urlStart = from + 'GET '.length
  const urlEnd = skip(bytes, urlStart, inUrl)
  if (!text.startsWith(version, urlEnd)) return undefined
  const rawHeaders: string[] = []
  let hosts = 0
  let at = urlEnd + version.length
  while (bytes[at] !== cr) {
    const nameEnd = skip(bytes, at, inName)
    if (nameEnd === at || bytes[nameEnd] !== colon) return undefined
    const valueStart = bytes[nameEnd + 1] === space ? nameEnd + 2 : nameEnd + 1
    const valueEnd = skip(bytes, valueStart, inValue)
    if (!endsLine(bytes, valueEnd)) return undefined
    if (bytes[valueStart] === space || bytes[valueEnd - 1] === space) return undefined
    const name = text.slice(at, nameEnd)
    const value = text.slice(valueStart, valueEnd)
    if (mayDecide[name.length] === 1) {
      const meaning = meaningOf(name.toLowerCase(), value)
      if (meaning === 'other') return undefined
      if (meaning === 'host') hosts += 1
    }
    if (rawHeaders.length >= 2 * mostHeaders) return undefined
    rawHeaders.push(name, value)
    at = valueEnd + 2
  }
  const isWhole = hosts === 1 && endsLine(bytes, at)
  return isWhole ? { url: text.slice(urlStart, urlEnd), rawHeaders, end: at + 2 } : undefined
}

const version = ' HTTP/1.1\r\n'
const [cr, lf, space, colon] = [13, 10, 32, 58]
const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const inName = bytesOf(`${lettersAndDigits}-`)
/** RFC 3986, sections 3.3 and 3.4: no fragment, and no character that anybody escapes. */
const inUrl = bytesOf(`${lettersAndDigits}-._~%!$&'()*+,;=:@/?`)
/** Visible characters and spaces. */
const inValue = bytesOf(
  Array.from({ length: 95 }, (_, index) => String.fromCharCode(space + index)).join(''),
)

/** Headers that say where a request ends, or that ask for more than an answer. */
const otherRequests = new Set([
  ...['content-length', 'transfer-encoding', 'trailer', 'te', 'expect', 'upgrade'],
  ...['proxy-connection', 'http2-settings'],
])

/** By the length of a name: whether a header of that length may decide. The length alone rules out most names. */
const mayDecide = new Uint8Array(32)
for (const { length } of [...otherRequests, 'host', 'connection']) mayDecide[length] = 1

function meaningOf(name: string, value: string): 'host' | 'other' | 'nothing' {
  if (name === 'host') return isHostText(value) ? 'host' : 'other'
  if (name === 'connection') return /^keep-alive$/i.test(value) ? 'nothing' : 'other'
  return otherRequests.has(name) ? 'other' : 'nothing'
}

/** A table by byte: 1 for each byte that occurs. */
function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

/** The place of the first byte that is not in the table. */
function skip(bytes: Uint8Array, from: number, table: Uint8Array): number {
  let at = from
  while (table[bytes[at] ?? cr] === 1) at += 1
  return at
}

function endsLine(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === cr && bytes[at + 1] === lf
}
