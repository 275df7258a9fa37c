import { useQuery } from '@tanstack/react-query'
import { unlimited } from '../../../api/account/profile.ts'
import type { Plan } from '../../../api/admin/plans.ts'
import { manifestQuery } from '../../../api/instance/manifest.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'

/** The limits that every plan has, each with its place in a plan and in a change of one. */
const always = [
  limit('limits.maxLinksCreatedPerMonth', 'maxLinksCreatedPerMonth', ({ limits }) => limits),
  limit('limits.maxTrackedVisitsPerMonth', 'maxTrackedVisitsPerMonth', ({ limits }) => limits),
  limit('organization.maxTags', 'maxTags', ({ organization }) => organization),
  limit('organization.maxCampaigns', 'maxCampaigns', ({ organization }) => organization),
] as const

/** The limits of a plan; those that plugins add come last. */
export function useLimits(plan: Plan): readonly Limit[] {
  const { data: plugins = [] } = useQuery(manifestQuery)
  const own = plugins
    .flatMap(plugin => plugin.limits)
    .filter(({ name }) => Object.hasOwn(plan.limits, name))
    .map(({ name, label }) => ({
      path: `limits.${name}`,
      label,
      of: ({ limits }: Plan) =>
        Object.entries(limits).find(([key]) => key === name)?.[1] ?? unlimited,
    }))
  return [...always, ...own]
}

/** One limit of a plan. */
export interface Limit {
  /** Its path in a change of a plan. */
  readonly path: string
  readonly label: string
  of(plan: Plan): number
}

/** The limits as the form holds them. Empty means not filled in. */
export interface LimitValues {
  readonly limits: Readonly<Record<keyof Plan['limits'], number | ''>>
  readonly organization: Readonly<Record<keyof Plan['organization'], number | ''>>
}

/** The initial values of the form. */
export function limitValues({ limits, organization }: Plan): LimitValues {
  return { limits, organization }
}

/** `1,000`, or the word for unlimited. */
export function formatLimit(value: number): string {
  return value >= unlimited ? adminTexts.plans.unlimited : formatNumber(value)
}

/** What is wrong with a typed number. The API would refuse it too, in words of its own. */
export function limitProblem(value: number | string): string | null {
  const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  return isWhole ? null : adminTexts.plans.notWhole
}

function limit<Name extends keyof typeof adminTexts.plans.limit>(
  path: string,
  name: Name,
  groupOf: (plan: Plan) => Readonly<Record<Name, number>>,
): Limit {
  return { path, label: adminTexts.plans.limit[name], of: plan => groupOf(plan)[name] }
}
