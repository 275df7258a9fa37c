import { randomUUID } from 'node:crypto'
import type { AddressedNotice, Event } from '../../../core/plugin.ts'
import { choicesOf, isAllowed } from './choices.ts'
import { keep } from './keep-news.ts'
import type { KindName } from './kinds.ts'
import type { OwnContext } from './tables.ts'

/** The kinds of things that are heard of. Some are told of by plugins that may be off. */
export const kindsHeard = ['endingLink', 'blockedLink', 'deadLink', 'webhook', 'import']

/** What becomes news, by the type of the event. */
const kindsOfEvents: Readonly<Record<string, KindName>> = {
  'endingLink.created': 'endingLinks',
  'blockedLink.created': 'blockedLinks',
  'deadLink.created': 'deadLinks',
  'webhook.updated': 'webhooks',
  'import.updated': 'imports',
}

/** Keeps what an event says for the next mail. It may come twice, and is kept once. */
export async function hear(event: Event, context: OwnContext): Promise<void> {
  const kind = kindsOfEvents[event.type]
  const { accountId, after, id } = event
  if (!kind || accountId === null || !after) return
  if (kind === 'webhooks' && after.isOn !== false) return
  // Whoever runs a command sees how it ends.
  if (kind === 'imports' && after.byCommand === true) return
  await keep({ accountId, kind, about: id, says: after }, context)
}

/** Keeps what a plugin tells an account. Admins are told by the plugin that sends mail. */
export async function hearNotice(
  { to, title, text, url }: AddressedNotice,
  context: OwnContext,
): Promise<boolean> {
  if (to === 'admins') return false
  const { accountId } = to
  const [account] = await context.unstable.accounts.find([accountId])
  if (!account || !context.unstable.mail.canSend()) return false
  const choices = (await choicesOf([account], context)).get(accountId)
  if (!choices || !isAllowed(account, 'others', choices, context)) return false
  const says = { title, text, url: url ?? null }
  await keep({ accountId, kind: 'others', about: randomUUID(), says }, context)
  return true
}
