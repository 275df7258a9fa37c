/** The values of a form by their names in a request. An undefined password stays unchanged. */
export type Values = Readonly<Record<string, unknown>>

/** The values that differ, as a request sends them: what is left out stays unchanged. */
export function changeOf(before: Values, after: Values): Values {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isSame(value, before[name])),
  )
}

/** Whether both are the same JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
