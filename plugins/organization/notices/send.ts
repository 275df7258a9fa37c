import type { KnownAccount, Mail, Refusal } from '../../../core/plugin.ts'
import { type Choices, choicesOf, isAllowed, noteRefused } from './choices.ts'
import { compose } from './compose.ts'
import type { KindName } from './kinds.ts'
import { asHtml, asText, type Frame, type Letter } from './letter.ts'
import type { Shown } from './shown.ts'
import { stopUrl } from './stop.ts'
import { type MailRow, mails, news, type OwnContext } from './tables.ts'
import { words } from './words.ts'
import { pageOf } from './written.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** After so long a server that was sending a mail is gone, and nobody knows whether the mail went. */
const goneMs = 5 * minuteMs

/** For so long a mail is tried again, with pauses from the first to the longest, each twice as long as the one before. */
const givenUpMs = 72 * hourMs
const pauses = { first: 15 * minuteMs, longest: 6 * hourMs }

/** Sends what is due, one mail after another. None goes twice: what may have gone is not sent again. */
export async function sendDue(context: OwnContext): Promise<void> {
  await noteInterrupted(context)
  for (let mail = await nextDue(context); mail; mail = await nextDue(context)) {
    if (context.signal.aborted || !(await sendOne(mail, context))) return
  }
}

async function noteInterrupted({ db, now }: OwnContext): Promise<void> {
  const at = now().getTime()
  await db
    .updateTable(mails)
    .set({ state: 'uncertain', ended_at: at, problem: 'The server ended while it was sent.' })
    .where('state', '=', 'sending')
    .where(eb => eb.not(eb.between('due_at', at - goneMs, at + goneMs)))
    .execute()
}

/** What is due later than a pause lasts was noted while the clock was ahead, and is due now. */
async function nextDue({ db, now }: OwnContext): Promise<MailRow | undefined> {
  const at = now().getTime()
  const row = await db
    .selectFrom(mails)
    .selectAll()
    .where('state', '=', 'waiting')
    .where(eb => eb.or([eb('due_at', '<=', at), eb('due_at', '>', at + pauses.longest)]))
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row as MailRow | undefined
}

/** False: others need not be tried now. */
async function sendOne(mail: MailRow, context: OwnContext): Promise<boolean> {
  const { log, unstable } = context
  let ready: Awaited<ReturnType<typeof makeReady>>
  try {
    ready = await makeReady(mail, context)
  } catch (error) {
    // It must not hold up those behind it, such as while another plugin fails of which it says something.
    log.warn('A notice could not be written, and is tried again', { kind: mail.kind, error })
    if (await claim(mail, context)) await later(mail, 'It could not be written.', context)
    return true
  }
  if (!ready) {
    await drop(mail, context)
    return true
  }
  if (!(await claim(mail, context))) return true
  const refused = await unstable.mail.send(ready.mail)
  return note(mail, ready.account, refused, context)
}

/** A mail as it goes; undefined if it is not to go any more. */
async function makeReady(
  { id, account_id, kind }: MailRow,
  context: OwnContext,
): Promise<{ readonly account: KnownAccount; readonly mail: Mail } | undefined> {
  const [account] = await context.unstable.accounts.find([account_id])
  const choices = account && (await choicesOf([account], context)).get(account_id)
  if (!account || !choices || !isAllowed(account, kind, choices, context)) return undefined
  const rows = await context.db
    .selectFrom(news)
    .select('says')
    .where('mail_id', '=', id)
    .orderBy('id')
    .execute()
  const says = rows.map(row => JSON.parse(row.says) as Shown)
  const letter = await compose({ account, choices, kind, says }, context)
  return letter && { account, mail: writeMail(account, choices, kind, letter, context) }
}

/** A letter as a mail, with who sends it, why, and how that ends. */
export function writeMail(
  { accountId }: KnownAccount,
  { language }: Choices,
  kind: KindName | undefined,
  letter: Letter,
  context: Pick<OwnContext, 'links' | 'unstable'>,
): Mail {
  const w = words[language]
  const { name, accent } = context.unstable.brand()
  const brand = name ?? 'Linnet'
  const unsubscribeUrl = kind && stopUrl({ accountId, kind }, context)
  const frame: Frame = {
    ...{ brand, language, accent: accent?.light ?? '#8a3c10' },
    because: kind ? w.because(brand, w.kinds[kind]) : '',
    links: [
      ...(unsubscribeUrl === undefined ? [] : [{ label: w.end, url: unsubscribeUrl }]),
      { label: w.choose, url: pageOf('settings', context) },
    ],
  }
  const subject = letter.subject.slice(0, 200)
  return {
    ...{ to: { accountId }, subject, unsubscribeUrl },
    ...{ text: asText(letter, frame), html: asHtml(letter, frame) },
  }
}

/** Whether this server is the one that sends it. `due_at` is from now on when it began. */
async function claim({ id, attempts }: MailRow, { db, now }: OwnContext): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(mails)
    .set({ state: 'sending', attempts: attempts + 1, due_at: now().getTime() })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function drop({ id }: MailRow, { db }: OwnContext): Promise<void> {
  await db.deleteFrom(mails).where('id', '=', id).where('state', '=', 'waiting').execute()
}

/** Notes what came of it. False if the mail server takes nothing now. */
async function note(
  mail: MailRow,
  { accountId, email, id }: KnownAccount,
  refused: Refusal | undefined,
  context: OwnContext,
): Promise<boolean> {
  const { db, log, now } = context
  if (!refused) {
    await end(mail, 'sent', null, context)
    return true
  }
  const { code, detail, details } = refused
  if (code === 'too_many_requests') {
    const change = { state: 'waiting', attempts: mail.attempts, due_at: now().getTime() } as const
    await changeSending(mail, change, db)
    return false
  }
  if (code === 'mail_uncertain') {
    await end(mail, 'uncertain', detail, context)
    return true
  }
  if (code === 'mail_failed' || code === 'mail_put_off') {
    await later(mail, detail, context)
    return code === 'mail_put_off'
  }
  await end(mail, 'failed', detail, context)
  if (code === 'mail_refused' && details?.of === 'address') {
    log.warn('The mail server does not take the address of an account, which gets no notices', {
      ...{ account: id, why: detail },
    })
    await noteRefused(accountId, { address: email, because: detail }, db)
  }
  return true
}

async function later(mail: MailRow, problem: string, context: OwnContext): Promise<void> {
  const { db, now } = context
  const at = now().getTime()
  if (at - mail.created_at > givenUpMs) return end(mail, 'failed', problem, context)
  const pause = Math.min(pauses.first * 2 ** mail.attempts, pauses.longest)
  await changeSending(mail, { state: 'waiting', due_at: at + pause, problem }, db)
}

async function end(
  mail: MailRow,
  state: 'sent' | 'uncertain' | 'failed',
  problem: string | null,
  { db, log, now }: OwnContext,
): Promise<void> {
  await changeSending(mail, { state, problem, ended_at: now().getTime() }, db)
  if (state !== 'sent') log.warn('A notice did not go by mail', { kind: mail.kind, state, problem })
}

async function changeSending(
  { id }: MailRow,
  change: Partial<Omit<MailRow, 'id'>>,
  db: OwnContext['db'],
): Promise<void> {
  await db
    .updateTable(mails)
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .execute()
}
