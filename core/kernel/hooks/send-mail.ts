import { z } from 'zod'
import { findAccount } from '../../accounts/accounts.ts'
import { type AddressedMail, type Mailer, type Refusal, refuse } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import type { Containment } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'

const perMinute = 60

const mailSchema = z.strictObject({
  to: z.union([z.email().max(254), z.strictObject({ accountId: z.int() })]),
  // A line break would begin another header.
  subject: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}+$/u),
  text: z.string().min(1).max(100_000),
  html: z.string().min(1).max(200_000).optional(),
  // In a header, between angle brackets.
  unsubscribeUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .regex(/^[!-;=?-~]+$/)
    .optional(),
})

/** What sending something to people takes. */
export interface SendingDeps {
  readonly running: readonly RunningPlugin[]
  readonly contain: Containment
  readonly db: Database
  throttle(key: string, max: number, seconds: number): Promise<boolean>
}

/** What the plugin of a feature can send. The first plugin that sends mail does it for all. */
export function createMailer(
  feature: string,
  { running, contain, db, throttle }: SendingDeps,
): Mailer {
  const provider = running.find(({ plugin }) => plugin.unstable?.mail)
  return {
    canSend: () => provider !== undefined,
    async send(mail) {
      if (!provider) return off
      const { data, error } = mailSchema.safeParse(mail)
      if (!data) return refuse('mail_invalid', z.prettifyError(error), 422)
      if (!(await throttle(`${feature} mail`, perMinute, 60))) return tooMany
      const to =
        typeof data.to === 'string' ? data.to : (await findAccount(db, data.to.accountId))?.email
      if (to === undefined) return refuse('mail_invalid', 'There is no such account.', 422)
      return sendBy(provider, { ...data, to, from: feature }, contain)
    },
  }
}

async function sendBy(
  { plugin, context }: RunningPlugin,
  mail: AddressedMail,
  contain: Containment,
): Promise<Refusal | undefined> {
  const work = () => plugin.unstable?.mail?.(mail, context)
  const sent = await contain.run(plugin.feature, 'mail', work, { check: checks.refusal })
  return sent.ok ? (sent.value ?? undefined) : failed
}

const off = refuse('mail_off', 'No running plugin sends mail.', 409)
const tooMany = refuse('too_many_requests', 'This plugin has sent too much mail in a minute.', 429)
const failed = refuse('mail_failed', 'The mail could not be sent; the log says why.', 502)
