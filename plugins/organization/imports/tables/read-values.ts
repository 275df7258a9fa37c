/** Whether a value of a dump is true: databases write that as 1, as a byte, as t or as a word. */
export function isTrue(value: string | null | undefined): boolean {
  return value === '\u0001' || /^(1|t|true|y|yes)$/i.test(value ?? '')
}

/** A count; 0 if the value is none. */
export function numberIn(value: string | null | undefined): number {
  const number = Number(value ?? 0)
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}
