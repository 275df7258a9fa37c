import { weighted } from './weighted.ts'

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
