/** An address as people read it, without its scheme, which says nothing, and with the letters that it escapes. */
export function withoutScheme(url: string): string {
  return url
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/\/$/, '')
    .replace(/(?:%[89a-f][\da-f])+/gi, readable)
}

/** What cannot be seen stays escaped, but for what holds an emoji together. */
function readable(escapes: string): string {
  try {
    const text = decodeURIComponent(escapes)
    return /(?!\u200d)[\p{C}\p{Z}]/u.test(text) ? escapes : text
  } catch {
    return escapes
  }
}
