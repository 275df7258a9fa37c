import type { PluginFinding } from '../../../core/plugin.ts'
import { choices, mails, type OwnContext } from './tables.ts'

/** After so long a mail that waits is worth a word. */
const longMs = 3_600_000

/** How many accounts are named. */
const mostNamed = 10

/** What does not reach people, for the doctor and the page Health. */
export async function examine(context: OwnContext): Promise<readonly PluginFinding[]> {
  return [...(await refusedAddresses(context)), ...(await longWaiting(context))]
}

async function refusedAddresses({ db, unstable }: OwnContext): Promise<readonly PluginFinding[]> {
  const rows = await db
    .selectFrom(choices)
    .select(['account_id', 'refused_address'])
    .where('refused_address', 'is not', null)
    .orderBy('account_id')
    .limit(1_000)
    .execute()
  const accounts = await unstable.accounts.find(rows.map(row => Number(row.account_id)))
  const refused = new Map(rows.map(row => [Number(row.account_id), row.refused_address]))
  const theirs = accounts.filter(it => refused.get(it.accountId) === it.email)
  if (theirs.length === 0) return []
  const named = theirs.slice(0, mostNamed).map(({ id }) => id)
  const more = theirs.length > named.length ? ` and ${theirs.length - named.length} more` : ''
  return [
    {
      status: 'warning',
      says: `The mail server does not take the addresses of these accounts, which get no notices: ${named.join(', ')}${more}.`,
      remedy: 'Give them other addresses, or have them send themselves a test from their settings.',
    },
  ]
}

async function longWaiting({ db, now }: OwnContext): Promise<readonly PluginFinding[]> {
  const row = await db
    .selectFrom(mails)
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('problem').as('problem')])
    .where('state', '=', 'waiting')
    .where('created_at', '<', now().getTime() - longMs)
    .executeTakeFirst()
  const count = Number(row?.count ?? 0)
  if (count === 0) return []
  return [
    {
      status: 'warning',
      says: `${count} notices wait for more than an hour to go by mail. ${row?.problem ?? ''}`.trim(),
      remedy: 'Look at the mail server. They go by themselves once it takes them, for three days.',
    },
  ]
}
