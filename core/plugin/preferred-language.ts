/**
 * The language that a visitor prefers: the highest weight, the first of equals; empty when there is none, and
 * what has the weight 0 is not wanted at all: RFC 9110, sections 12.4.2 and 12.5.4.
 *
 * @example
 * preferredLanguage('de;q=0.5, en') // en
 */
export function preferredLanguage(acceptLanguage: string): string {
  const ranges = acceptLanguage.split(',').map(range => {
    const [language = '', weight = ''] = range.split(';')
    return { language: language.trim(), weight: Number(/q=([\d.]+)/i.exec(weight)?.[1] ?? 1) }
  })
  return ranges.reduce((best, range) => (range.weight > best.weight ? range : best), none).language
}

const none = { language: '', weight: 0 }
