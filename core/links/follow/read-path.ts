/**
 * What may follow a short code and names a view, as the plus in `/code+`. No code has such a character, so
 * no view hides a link.
 */
export const suffixPattern = /^[+~!.][a-z]*$/

/** A short code, whole: what has another form could be saved, and never be followed. */
export const codePattern = /^[A-Za-z0-9_-]{1,64}$/

const pathPattern = /^([A-Za-z0-9_-]{1,64})([+~!.][a-z]*)?$/

/**
 * The path of a visit, without its slash: a short code, and maybe what follows it. A letter that needs no
 * escape is the same escaped, RFC 3986, section 6.2.2.2, and people put a slash at the end of anything.
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
