import { type AddressedNotice, isRefusal, type Log, type Refusal } from '../../../core/plugin.ts'
import { deliver, type MailServer } from './mail-server.ts'

/**
 * Mails a notice for admins to each of them, at once. What is for one account is for `organization.notices`, by which the account
 * chooses what it is told. A notice is taken if one of them gets it; otherwise the first reason tells why not.
 */
export async function deliverNotice(
  server: MailServer,
  { to, people, title, text, url, from }: AddressedNotice,
  name: string | undefined,
  log: Log,
): Promise<boolean | Refusal> {
  if (to !== 'admins') return false
  const body = url === undefined ? `${text}\n` : `${text}\n\n${url}\n`
  const sent = await Promise.allSettled(
    people.map(({ email }) =>
      deliver(server, { to: email, subject: title, text: body, from }, name),
    ),
  )
  const reasons = sent.flatMap(it =>
    it.status === 'rejected' ? [it.reason] : it.value ? [it.value] : [],
  )
  const [first] = reasons
  if (reasons.length === 0) return true
  if (reasons.length === sent.length) {
    if (isRefusal(first)) return first
    throw first
  }
  const error = isRefusal(first) ? first.detail : first
  log.warn(`A notice of ${from} did not reach ${reasons.length} of ${sent.length} people by mail`, {
    error,
  })
  return true
}
