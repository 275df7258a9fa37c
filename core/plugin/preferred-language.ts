/** The tag that a visitor prefers: the highest weight, the first of equals: RFC 9110, section 12.5.4. */
export function preferredLanguage(acceptLanguage: string): string {
  const ranges = acceptLanguage.split(',').map(range => {
    const [tag = '', weight = ''] = range.split(';')
    return { tag: tag.trim(), weight: Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1) }
  })
  return ranges.reduce((best, range) => (range.weight > best.weight ? range : best)).tag
}
