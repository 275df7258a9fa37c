import type { Json, KnownAccount } from '../../../core/plugin.ts'
import type { Choices } from './choices.ts'
import type { Letter } from './letter.ts'
import { isObject, type Shown } from './shown.ts'
import type { OwnContext } from './tables.ts'
import type { Words } from './words/sentences.ts'
import { dayIn, numbersIn, pageOf } from './written.ts'

const dayMs = 86_400_000

/** How many links it names. */
const mostLinks = 5

interface Week {
  readonly account: KnownAccount
  readonly choices: Choices
  /** The day after it, as `2026-11-23`. */
  readonly monday: string
  readonly w: Words
}

/** The numbers of a week beside those of the week before; undefined if there are none in either. */
export async function weekOf(
  { account, choices, monday, w }: Week,
  context: OwnContext,
): Promise<Letter | undefined> {
  const from = dayBefore(monday, 7)
  const query = new URLSearchParams({
    ...{ from, to: monday, timezone: choices.timeZone },
    ...{ compare: 'previous', limit: String(mostLinks) },
  })
  const path = `/analytics/links?${query}` as const
  const { status, body } = await context.unstable.callApi(account.accountId, 'GET', path)
  // The plan may include no analytics.
  if (status === 403) return undefined
  const data: Json | undefined = isObject(body) ? body.data : undefined
  if (status !== 200 || !isObject(data)) throw new Error(`The week could not be read: ${status}`)
  const visits = Number(data.visits)
  const before = isObject(data.previous) ? Number(data.previous.visits) : 0
  if (visits === 0 && before === 0) return undefined
  const number = numbersIn(choices)
  const day = dayIn(choices)
  const percent = before === 0 ? null : Math.round(((visits - before) / before) * 100)
  const said = w.weekly.lead(number(visits), day(from), day(dayBefore(monday, 1)))
  const links = (Array.isArray(data.links) ? data.links : []) as readonly Shown[]
  return {
    subject: w.weekly.subject(number(visits)),
    lead: `${said} ${w.weekly.change(percent)}`,
    rows: links.map(({ id, title, shortUrl, visits, previousVisits }) => ({
      title: title ? `${title} (${shortUrl})` : String(shortUrl),
      details: [w.weekly.row(number(Number(visits)), number(Number(previousVisits)))],
      url: pageOf(`links/${id}/analytics`, context),
    })),
    button: { label: w.weekly.open, url: pageOf('analytics', context) },
  }
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10)
}
