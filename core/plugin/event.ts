import type { Json } from './fields.ts'

/**
 * Something that was changed. It was written in the same transaction as the change, so there is one for each change that
 * was saved, and none for others.
 *
 * @example
 * { id: 'evt_…', type: 'link.updated', before: { title: null, … }, after: { title: 'Spring', … }, changed: ['title'], … }
 */
export interface Event {
  /** The same each time that this event is delivered: keep it to know again what came twice. */
  readonly id: string
  /** What happened to which kind of thing, such as `link.created`, `account.updated` or `token.deleted`. */
  readonly type: string
  /** When, as ISO 8601. */
  readonly at: string
  /** Row id of the account that the thing belongs to; null if it belongs to none. */
  readonly accountId: number | null
  readonly actor: Actor
  /** The thing before; null if it is new. */
  readonly before: Readonly<Record<string, Json>> | null
  /** The thing now; null if it was deleted. */
  readonly after: Readonly<Record<string, Json>> | null
  /** The names of what has another value now, also of what `before` and `after` do not show, such as `password`. */
  readonly changed: readonly string[]
}

/** Who made a change. */
export type Actor = (
  | {
      readonly kind: 'account'
      /** Row id. */
      readonly accountId: number
      readonly by: 'token' | 'session'
      /** The public id of the token or session. */
      readonly credential?: string
    }
  | { readonly kind: 'plugin'; readonly feature: string }
  /** The command line, a job of Linnet, or a visitor who was not signed in. */
  | { readonly kind: 'system' }
) & {
  /** The client's IP address, or its network: only for a plugin that sets `unstable.clientAddresses`. */
  readonly address?: string
}

/** Kinds of things that Linnet tells of. Plugins tell of others. */
export type EventKind =
  | 'link'
  | 'account'
  | 'token'
  | 'session'
  | 'step'
  | 'identity'
  | 'settings'
  | 'plugins'
  | (string & {})
