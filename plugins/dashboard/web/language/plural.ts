import { language } from './language.ts'

const rules = new Intl.PluralRules(language)

/** The words for a number of things: English says `one` of 1, French of 0 too. */
export function plural(count: number, one: string, other: string): string {
  return rules.select(count) === 'one' ? one : other
}
