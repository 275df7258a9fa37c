import { adminTexts } from '../../texts/admin.ts'

const names: Readonly<Record<string, string>> = adminTexts.plans.names

/** The plans that an account can have. */
export const planChoices = Object.entries(adminTexts.plans.names).map(([value, label]) => ({
  value,
  label,
}))

/** `pro` -> `Pro`; a plan of which nothing is known goes by its slug. */
export function planName(slug: string): string {
  return names[slug] ?? slug
}
