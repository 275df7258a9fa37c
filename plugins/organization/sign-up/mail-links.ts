import { createHash, randomBytes } from 'node:crypto'
import { isRefusal } from '../../../core/plugin.ts'
import { type OwnContext, type RequestRow, requests } from './tables.ts'
import { signUpTexts } from './texts.ts'

/** Where visitors make accounts. */
export const mountKey = 'sign-up'

const languages = ['en', 'de', 'fr', 'es'] as const
type Language = (typeof languages)[number]

type Needs = Pick<OwnContext, 'db' | 'links' | 'log' | 'now' | 'unstable' | 'signal'>

/** Mails what was asked for. Whoever asks does not wait for it, so that the answer does not tell whether there is an account. */
export function createSender(context: Needs): { wake(): void } {
  let last = Promise.resolve()
  return {
    wake() {
      last = last
        .then(() => mailAll(context))
        .catch(error => context.log.warn('Mails for sign-ups could not be sent', { error }))
    },
  }
}

/** Two servers may look at the same moment: each request is mailed by the one that gives it its secret. */
async function mailAll(context: Needs): Promise<void> {
  const rows = await context.db
    .selectFrom(requests)
    .selectAll()
    .where('secret_hash', 'is', null)
    .where('expires_at', '>', context.now().getTime())
    .orderBy('expires_at')
    .limit(100)
    .execute()
  for (const row of rows) if (!context.signal.aborted) await mailOne(row, context)
}

async function mailOne({ email, language }: RequestRow, context: Needs): Promise<void> {
  const { db, log, unstable } = context
  const secret = randomBytes(24).toString('base64url')
  const { numUpdatedRows } = await db
    .updateTable(requests)
    .set({ secret_hash: digest(secret) })
    .where('email', '=', email)
    .where('secret_hash', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  const isThere = (await unstable.accounts.byEmail(email)) !== undefined
  const says = <T extends Readonly<Record<Language, string>>>(texts: T) =>
    texts[languages.find(it => language.startsWith(it)) ?? 'en']
  const t = signUpTexts
  const text = isThere
    ? `${says(t.thereText)}\n\n${signInUrl(context)}\n`
    : `${says(t.mailText)}\n\n${urlOf(secret, context)}\n`
  const subject = says(isThere ? t.thereSubject : t.mailSubject)
  const refused = await unstable.mail.send({ to: email, subject, text })
  if (!isRefusal(refused)) return
  log.warn('A mail for a sign-up could not be sent', { why: refused.detail })
  if (!later.includes(refused.code)) return
  // The next run of the job tries again, with another secret.
  await db
    .updateTable(requests)
    .set({ secret_hash: null })
    .where('email', '=', email)
    .where('secret_hash', '=', digest(secret))
    .execute()
}

/** Of these a mail certainly has not gone, and may go later. */
const later = ['mail_failed', 'mail_put_off', 'too_many_requests']

export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

export function signInUrl({ links }: Pick<OwnContext, 'links'>): string {
  return new URL('/dashboard/sign-in', links.apiUrl('')).href
}

function urlOf(secret: string, { links }: Pick<OwnContext, 'links'>): string {
  const url = new URL(links.mainUrl(`/${mountKey}/confirm`))
  url.searchParams.set('of', secret)
  return url.href
}
