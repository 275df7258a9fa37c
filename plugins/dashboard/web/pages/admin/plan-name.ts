import { texts } from '../../texts.ts'

const names: Readonly<Record<string, string>> = texts.admin.plans.names

/** The plans that an account can have. */
export const planChoices = Object.entries(texts.admin.plans.names).map(([value, label]) => ({
  value,
  label,
}))

/** `pro` -> `Pro`; a plan of which nothing is known goes by its slug. */
export function planName(slug: string): string {
  return names[slug] ?? slug
}
