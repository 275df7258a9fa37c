import { quoted } from '../reading/texts.ts'

/** Whether a value of a dump is true: databases write that as 1, as a byte, as t or as a word. */
export function isTrue(value: string | null | undefined): boolean {
  return value === '\u0001' || /^(1|t|true|y|yes)$/i.test(value ?? '')
}

/** How many visits a link had; 0 if the value is no number, which `changes` says. */
export function visitsIn(value: string | null | undefined, changes: string[]): number {
  if (value && !/^\d{1,15}$/.test(value))
    changes.push(`${quoted(value)} is no number of visits, and does not come along.`)
  return numberIn(value)
}

/** A count; 0 if the value is none. */
export function numberIn(value: string | null | undefined): number {
  const number = Number(value ?? 0)
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}
