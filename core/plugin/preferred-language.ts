/**
 * The preferred language of an `Accept-Language` header: the one with the highest weight, or the first of several with
 * that weight. Empty if there is none. Languages with the weight 0 are ignored: RFC 9110, sections 12.4.2 and 12.5.4.
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
