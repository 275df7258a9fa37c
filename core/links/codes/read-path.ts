import type { RequestHead } from '../../lib/request-head.ts'

/**
 * A suffix after a short code that names a view, such as the plus in `/code+`. No code contains such a
 * character, so no view hides a link.
 */
export const suffixPattern = /^[+~!.][a-z]*$/

/** What may be a short code on some host. */
export const maybeCode = /^[^\s%?#\\,]{1,255}$/

/** A whole short code on hosts with the narrow grammar. A code of another form could be saved, but never followed. */
export const codePattern = /^[A-Za-z0-9_-]{1,64}$/

const pathPattern = /^([A-Za-z0-9_-]{1,64})([+~!.][a-z]*)?$/

/**
 * Reads the path of a visit, without its slash: a short code, perhaps with a suffix. An escaped letter that
 * needs no escape equals the letter (RFC 3986, section 6.2.2.2), and a slash at the end is ignored, since
 * people put one after anything.
 */
export function readPath(
  path: string,
): { readonly code: string; readonly suffix: string | undefined } | undefined {
  const [, code, suffix] = pathPattern.exec(unescaped(path).replace(/\/$/, '')) ?? []
  return code === undefined ? undefined : { code, suffix }
}

function unescaped(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, escaped => {
    const letter = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : escaped
  })
}

/** The path of a request without its slash and its query. */
export function pathIn({ url = '/' }: RequestHead): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url.slice(1) : url.slice(1, mark)
}
