import { newRowId } from '../../../core/plugin.ts'
import { type Choices, choicesOf, isAllowed } from './choices.ts'
import { type KindName, kinds, type Timing } from './kinds.ts'
import { byDay, inTheMorning } from './local-time.ts'
import { mails, news, type OwnContext } from './tables.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long news wait for others of their kind, and how long after a mail the next of its kind goes. */
const waits: Readonly<Record<Timing, { readonly first: number; readonly next: number }>> = {
  soon: { first: 5 * minuteMs, next: hourMs },
  asked: { first: minuteMs, next: hourMs },
  daily: { first: 0, next: 20 * hourMs },
  weekly: { first: 0, next: 0 },
}

/** How far the clocks of servers may be apart. What is further ahead was noted by a clock that was wrong, and nothing waits for it. */
const apartMs = 5 * minuteMs

const together = 500

interface Waiting {
  readonly accountId: number
  readonly kind: KindName
  readonly since: number
}

/** Puts what waits into mails, one of each kind for an account. What nobody wants to know any more is forgotten. */
export async function gather(context: OwnContext): Promise<void> {
  const waiting = await newsThatWait(context)
  for (let from = 0; from < waiting.length; from += together) {
    const part = waiting.slice(from, from + together)
    const ids = [...new Set(part.map(({ accountId }) => accountId))]
    const accounts = await context.unstable.accounts.find(ids)
    const choices = await choicesOf(accounts, context)
    for (const account of accounts) {
      const chosen = choices.get(account.accountId)
      for (const one of part.filter(it => it.accountId === account.accountId)) {
        if (!chosen) continue
        if (!isAllowed(account, one.kind, chosen, context)) await forget(one, context)
        else if ((await dueAt(one, chosen, context)) <= context.now().getTime())
          await makeMail(one, context)
      }
    }
  }
}

async function newsThatWait({ db }: OwnContext): Promise<readonly Waiting[]> {
  const rows = await db
    .selectFrom(news)
    .select(({ fn }) => ['account_id', 'kind', fn.min('at').as('since')])
    .where('mail_id', 'is', null)
    .groupBy(['account_id', 'kind'])
    .orderBy('account_id')
    .orderBy('kind')
    .execute()
  return rows.map(({ account_id, kind, since }) => ({
    ...{ accountId: Number(account_id), kind, since: Number(since) },
  }))
}

async function dueAt(
  { accountId, kind, since }: Waiting,
  { timeZone }: Choices,
  { db, now }: OwnContext,
): Promise<number> {
  const { timing } = kinds[kind]
  const { first, next } = waits[timing]
  const last = await db
    .selectFrom(mails)
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  const after = (moment: number, ms: number) =>
    moment > now().getTime() + apartMs ? 0 : moment + ms
  const at = Math.max(after(since, first), after(Number(last?.at ?? 0), next))
  if (timing === 'asked') return at
  const due = timing === 'daily' ? inTheMorning(at, timeZone) : at
  // The server may have been off when it was due.
  return byDay(Math.max(due, now().getTime()), timeZone)
}

function forget({ accountId, kind }: Waiting, { db }: OwnContext) {
  return db
    .deleteFrom(news)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('mail_id', 'is', null)
    .execute()
}

async function makeMail({ accountId, kind }: Waiting, { db, now }: OwnContext): Promise<void> {
  const at = now().getTime()
  const id = newRowId()
  await db.transaction().execute(async tx => {
    const mail = { id, account_id: accountId, kind, state: 'waiting' as const, attempts: 0 }
    const moments = { due_at: at, created_at: at, ended_at: null, problem: null }
    await tx
      .insertInto(mails)
      .values({ ...mail, ...moments })
      .execute()
    const { numUpdatedRows } = await tx
      .updateTable(news)
      .set({ mail_id: id })
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('mail_id', 'is', null)
      .executeTakeFirstOrThrow()
    // Another server has put them into a mail.
    if (numUpdatedRows === 0n) await tx.deleteFrom(mails).where('id', '=', id).execute()
  })
}
