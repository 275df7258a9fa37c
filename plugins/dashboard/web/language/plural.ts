import { language } from './language.ts'

const rules = new Intl.PluralRules(language)

/** The word for a number of things. English uses `one` for 1, French also for 0. */
export function plural(count: number, one: string, other: string): string {
  return rules.select(count) === 'one' ? one : other
}
