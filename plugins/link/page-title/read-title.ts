import { decodeEntities } from './decode-entities.ts'

const maxChars = 300

/** Characters that `line` refuses in user input: zero-width spaces, and those that change the direction of the text. */
const unseen = /[\u061C\u200B\u202A-\u202E\u2060\u2066-\u2069]/g

/** Returns the title of a page on one line; undefined if it has none. Takes time linear in the length of the page. */
export function readTitle(html: string): string | undefined {
  const start = html.search(/<title[\s>]/i)
  const open = start === -1 ? -1 : html.indexOf('>', start)
  if (open === -1) return undefined
  const rest = html.slice(open + 1)
  const end = rest.search(/<\/title[\s>]/i)
  if (end === -1) return undefined
  const line = decodeEntities(rest.slice(0, end))
    .toWellFormed()
    .replace(unseen, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return cut(line) || undefined
}

/** Shortens a title without splitting a surrogate pair. */
function cut(line: string): string {
  const short = line.slice(0, maxChars)
  return (short.isWellFormed() ? short : short.slice(0, -1)).trimEnd()
}
