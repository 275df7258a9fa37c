import { findAccount } from '../../../accounts/accounts.ts'
import type { Services } from '../../../kernel/run/create-context.ts'
import { isRefusal } from '../../../plugin/outcomes.ts'
import type { CountedDimension, Numbers, NumbersOf } from '../../../plugin.ts'
import type { Entitlements } from '../../../settings/entitlements.ts'
import type { TimelineRow } from '../../../visits/read/sum-up.ts'
import type { ValueRow } from '../../../visits/read/top-values.ts'
import { type AnalyticsData, createAnalyticsReport, type ReportDeps } from './analytics-report.ts'
import type { ShownDimension } from './analytics-schemas.ts'
import { analyticsSubjects, type SubjectDeps } from './analytics-subjects.ts'
import { type ComputingDeps, createComputing } from './computing.ts'

interface NumbersDeps extends SubjectDeps, ReportDeps, ComputingDeps {
  readonly entitlements: Pick<Entitlements, 'check'>
}

/** Reads numbers for plugins, as the API tells them to an account that may use the plugin. */
export function numbersForPlugins(deps: NumbersDeps): Pick<Services, 'readNumbers' | 'hasNumbers'> {
  const subjects = analyticsSubjects(deps)
  const report = createAnalyticsReport(deps)
  const compute = createComputing(deps)

  /** Undefined if there is no such account, or no plugin that runs has such a path. */
  async function find({ accountId, path }: Pick<NumbersOf, 'accountId' | 'path'>) {
    const [, kind, id] = /^(\/\w+)\/(\w+)$/.exec(path) ?? []
    const asked = subjects.find(subject => subject.path === `${kind}/:id/analytics`)
    const account = await findAccount(deps.db, accountId)
    if (!asked || !account || id === undefined) return undefined
    const scopes = ['analytics:read']
    const caller = { accountId, account, isAdmin: false, scopes, credential: 'token' } as const
    return { account, subject: await asked.subject({ caller, params: { id } }) }
  }

  async function read(
    feature: string,
    { interval, limit, ...of }: NumbersOf,
  ): Promise<Numbers | undefined> {
    const { account, subject } = (await find(of)) ?? {}
    if (!account || deps.entitlements.check(account.plan, feature)) return undefined
    if (!subject || isRefusal(subject)) return undefined
    const compare = interval === 'all' ? undefined : 'previous'
    const data = await report(subject, { interval, limit, compare, timezone: 'UTC' })
    if (isRefusal(data)) return undefined
    return {
      from: new Date(data.from),
      to: new Date(data.to),
      visits: data.totals.visits ?? 0,
      undated: data.undated,
      visitsBefore: data.previous?.totals.visits ?? null,
      dimensions: deps.known.all.flatMap(dimension => counted(dimension, data)),
    }
  }

  return {
    async hasNumbers(of) {
      const subject = (await find(of))?.subject
      if (!isRefusal(subject)) return subject && true
      return subject.status === 404 ? false : undefined
    },

    readNumbers(feature, { accountId, path, interval, limit }) {
      // Whoever reads a public page takes no turn from the account itself.
      const asked = {
        by: `${feature} for ${accountId}`,
        what: JSON.stringify([feature, accountId, path, interval, limit]),
      }
      return compute(asked, () => read(feature, { accountId, path, interval, limit }))
    },
  }
}

/** Empty if the plan does not include the dimension. */
function counted(dimension: ShownDimension, data: AnalyticsData): readonly CountedDimension[] {
  const { name, label, chart = 'bar' } = dimension
  const total = data.totals[name]
  const rows = (data as unknown as Readonly<Record<string, readonly (TimelineRow | ValueRow)[]>>)[
    name
  ]
  if (total === undefined && rows === undefined) return []
  const points = rows?.filter(row => 'start' in row)
  const values = rows?.filter(row => 'value' in row)
  const isLine = chart === 'line' || chart === 'number'
  return [
    {
      ...{ name, label, chart },
      ...(total !== undefined && { total }),
      ...(rows && (isLine ? { points } : { values })),
    } as CountedDimension,
  ]
}
