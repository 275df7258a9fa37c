/**
 * What may follow a short code and names a view, as the plus in `/code+`. No code has such a character, so
 * no view hides a link.
 */
export const suffixPattern = /^[+~!.][a-z]*$/

const pathPattern = /^([A-Za-z0-9_-]{1,64})([+~!.][a-z]*)?$/

/** The path of a visit, without its slash: a short code, and maybe what follows it. */
export function readPath(
  path: string,
): { readonly code: string; readonly suffix: string | undefined } | undefined {
  const [, code, suffix] = pathPattern.exec(path) ?? []
  return code === undefined ? undefined : { code, suffix }
}
