import { z } from 'zod'
import { type AddressedNotice, type Notice, type Notices, refuse } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import type { Containment } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import type { SendingDeps } from './send-mail.ts'

const perMinute = 20
const maxPeople = 100

const noticeSchema = z.strictObject({
  // A line break would begin another line of a chat, or another header of a mail.
  title: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}+$/u),
  text: z.string().min(1).max(10_000),
  level: z.enum(['info', 'warning', 'problem']),
  to: z.union([z.literal('admins'), z.strictObject({ accountId: z.int() })]),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
})

/** What the plugin of a feature can tell people. Every plugin that delivers notices is asked, all at once. */
export function createNotices(
  feature: string,
  { running, contain, db, throttle }: SendingDeps,
): Notices {
  const delivering = running.filter(({ plugin }) => plugin.unstable?.notice)
  return {
    async send(notice) {
      if (delivering.length === 0) return off
      const { data, error } = noticeSchema.safeParse(notice)
      if (!data) return refuse('notice_invalid', z.prettifyError(error), 422)
      if (!(await throttle(`${feature} notices`, perMinute, 60))) return tooMany
      const people = await peopleOf(db, data.to)
      if (people.length === 0) return nobody
      const addressed = { ...data, people, from: feature }
      const taken = await Promise.all(delivering.map(it => isTakenBy(it, addressed, contain)))
      return taken.filter(Boolean).length || untaken
    },
  }
}

async function isTakenBy(
  { plugin, context }: RunningPlugin,
  notice: AddressedNotice,
  contain: Containment,
): Promise<boolean> {
  const work = () => plugin.unstable?.notice?.(structuredClone(notice), context)
  // An address that no server takes must not keep other people from being told.
  const account = notice.to === 'admins' ? {} : { account: notice.to.accountId }
  const check = checks.notice
  const taken = await contain.run(plugin.feature, 'notice', work, { check, ...account })
  return taken.ok && taken.value === true
}

async function peopleOf(db: Database, to: Notice['to']): Promise<AddressedNotice['people']> {
  const accounts = db.selectFrom('accounts').select(['id as accountId', 'email'])
  const asked =
    to === 'admins' ? accounts.where('is_admin', '=', 1) : accounts.where('id', '=', to.accountId)
  return asked.orderBy('id').limit(maxPeople).execute()
}

const off = refuse('notices_off', 'No running plugin delivers notices.', 409)
const untaken = refuse(
  'notices_off',
  'No running plugin took the notice. If one failed, the log says why.',
  409,
)
const nobody = refuse('notice_invalid', 'There is no such account.', 422)
const tooMany = refuse('too_many_requests', 'This plugin has sent too many notices.', 429)
