/** What is in a form, by the names of a request. A password that stays as it is, is undefined. */
export type Values = Readonly<Record<string, unknown>>

/** What differs, as a request carries it: what is left out stays. */
export function changeOf(before: Values, after: Values): Values {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isSame(value, before[name])),
  )
}

/** The same JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
