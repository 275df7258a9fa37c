/** A value of a header, such as `de-AT` of `Accept-Language`. */
interface Weighted {
  readonly value: string
  /** 0 to 1. One that is not valid counts as 0. */
  readonly weight: number
}

/** The values of a header such as `Accept`, in their order: RFC 9110, section 12.4.2. */
export function weighted(header: string): readonly Weighted[] {
  return header.split(',').map(part => {
    const [value = '', ...parameters] = part.split(';').map(it => it.trim())
    const [, quality = '1'] = parameters.map(it => /^q=(.*)/i.exec(it)).find(it => it) ?? []
    const weight = Number(quality)
    return { value, weight: weight >= 0 && weight <= 1 ? weight : 0 }
  })
}

/**
 * The preferred language of an `Accept-Language` header: the one with the highest weight, or the first of several with
 * that weight. Empty if there is none. Languages with the weight 0 are ignored: RFC 9110, sections 12.4.2 and 12.5.4.
 *
 * @example
 * preferredLanguage('de;q=0.5, en') // en
 */
export function preferredLanguage(acceptLanguage: string): string {
  return weighted(acceptLanguage).reduce((best, it) => (it.weight > best.weight ? it : best), none)
    .value
}

const none = { value: '', weight: 0 }
