import { isWebAddress, parseUrl } from '../../../core/plugin.ts'

/** What a visitor brings to a link: what stands behind its code, as it was sent, and the query. */
export interface Brought {
  readonly rest: string
  readonly query: URLSearchParams
}

/** Leads on from an address, never to another scheme or host. */
export type Lead = (address: string, brought: Brought) => string

/** What stands for something that the visitor brings. */
interface Placeholder {
  /** `*`, a number, or `query.` and the name of a parameter. */
  readonly name: string
  readonly otherwise: string
  /** In a path, more characters stay as they were sent. */
  readonly isInPath: boolean
}

type Piece = string | Placeholder

const placeholder = /\{(\*|[1-9]|query\.[^\s{}|?#]{1,100})(?:\|([^\s{}?#]*))?\}/

/** The longest address that a link may lead to. */
const maxLength = 8_192

/** What is wrong with a template, as a sentence; undefined if nothing is. */
export function wrongWithTemplate(template: string): string | undefined {
  if (!template.startsWith('/')) return beginning
  const parts = piecesOf(template)
  const literal = parts.filter(part => typeof part === 'string').join('x')
  if (/[{}]/.test(literal)) return unreadable
  if (parts.every(part => typeof part === 'string')) return nothingToFill
  const whole = parts.map(part => (typeof part === 'string' ? part : part.otherwise)).join('')
  const isUnfit = [literal, whole].some(it => unfit.test(it) || hasDots(it))
  return isUnfit || /^[^?#]*\/\//.test(literal) ? noPath : undefined
}

const beginning =
  'Enter append, or a template that begins with /: scheme and host are those of the original URL.'
const unreadable =
  'A placeholder is {1} to {9}, {*} or {query.name}, perhaps with a default, such as {1|start}.'
const nothingToFill = 'The template has no placeholder, such as {1} or {*}.'
const noPath =
  'The template is no path. It has no spaces, backslashes, empty parts, . or .., and each % is followed by two hexadecimal digits.'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a header
const unfit = /[\u0000-\u0020\u007f\\]|%(?![\dA-Fa-f]{2})/

/**
 * Leads to the path of a template on the host of the address; to the address itself if the visitor brings nothing for any of its
 * placeholders.
 */
export function fillTemplate(template: string): Lead {
  const pieces = piecesOf(template)
  const numbers = pieces.flatMap(piece =>
    typeof piece === 'object' && /^\d$/.test(piece.name) ? Number(piece.name) : [],
  )
  const named = Math.max(0, ...numbers)

  function valueFor({ name, isInPath }: Placeholder, { rest, query }: Brought): string {
    if (name.startsWith('query.')) return escapedAll(query.get(name.slice(6)) ?? '')
    const parts = rest.split('/')
    const asked = name === '*' ? parts.slice(named) : parts.slice(Number(name) - 1, Number(name))
    return asked.map(part => escaped(part, isInPath)).join('/')
  }

  return (address, brought) => {
    const values = pieces.map(piece => (typeof piece === 'string' ? '' : valueFor(piece, brought)))
    if (values.every(value => value === '')) return address
    const filled = pieces.map((piece, index) =>
      typeof piece === 'string' ? piece : values[index] || piece.otherwise,
    )
    return onSameHost(address, () => filled.join(''))
  }
}

/** Leads to the path of the address with what the visitor brings at its end. */
export const append: Lead = (address, { rest }) =>
  rest === ''
    ? address
    : onSameHost(address, ({ pathname, search, hash }) => {
        const added = rest.split('/').map(part => escaped(part, true))
        return `${pathname.replace(/\/$/, '')}/${added.join('/')}${search}${hash}`
      })

/** Nothing but the path, query and fragment of an address is ever another one. */
function onSameHost(address: string, pathOn: (url: URL) => string): string {
  const url = isWebAddress(address) ? parseUrl(address) : undefined
  if (!url) return address
  const path = pathOn(url).replace(/^\/+/, '/')
  const led = parseUrl(`${url.origin}${path}`)
  if (!led || led.origin !== url.origin || hasDots(path) || led.href.length > maxLength) {
    return address
  }
  return led.href
}

function piecesOf(template: string): readonly Piece[] {
  // Split by a pattern with two groups: text, name, default, text, …
  const split = template.split(placeholder)
  const pathEnd = template.search(/[?#]/)
  let at = 0
  return split.flatMap((text, index): readonly Piece[] => {
    if (index % 3 === 2) return []
    if (index % 3 === 0) {
      at += text.length
      return text === '' ? [] : [text]
    }
    const otherwise = split[index + 1]
    const isInPath = pathEnd === -1 || at < pathEnd
    at += 2 + text.length + (otherwise === undefined ? 0 : 1 + otherwise.length)
    return [{ name: text, otherwise: otherwise ?? '', isInPath }]
  })
}

/** Whether browsers and programs would take a part out of the path, and the one before it. */
export function hasDots(path: string): boolean {
  const [before = ''] = path.split(/[?#]/, 1)
  return before.split(/[/\\]/).some(part => /^(?:\.|%2e){1,2}$/i.test(part))
}

/**
 * A part of a path as it was sent, with all escaped that does not belong there. What was escaped stays as it is: an escaped slash
 * is no slash, and what was escaped twice stays escaped twice.
 */
function escaped(part: string, isInPath: boolean): string {
  const strange = isInPath
    ? /%(?![\dA-Fa-f]{2})|[^\w\-.~!$&'()*+,;=:@%]/gu
    : /%(?![\dA-Fa-f]{2})|[^\w\-.~%]/gu
  return part.replace(strange, asOctets)
}

/** `node:http` gives each octet of a path that is not in ASCII as a character. */
function asOctets(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const octets = code < 0x100 ? Buffer.of(code) : Buffer.from(character.toWellFormed())
  return [...octets].map(it => `%${it.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

function escapedAll(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, asOctets)
}
