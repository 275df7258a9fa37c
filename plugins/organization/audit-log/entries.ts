import { createHash } from 'node:crypto'
import type { Context, Event, Fields, Json } from '../../../core/plugin.ts'

export const table = 'organization_audit_log'

export interface Tables {
  readonly [table]: Row
}

/** Something that was changed. Rows are added and deleted, the oldest first, and never changed. */
export interface Row extends Recorded {
  /** Counts up from 1, without gaps. */
  readonly id: number
  /** The `hash` of the row before; empty for the first. */
  readonly prev: string
  /** SHA-256 of `prev` and of what the row tells, in hexadecimal. */
  readonly hash: string
}

/** What a row tells. */
export interface Recorded {
  readonly event_id: string
  /** In milliseconds since 1970 UTC. */
  readonly at: number
  /** Such as `link.updated`. */
  readonly type: string
  /** Row id of the account that the thing belongs to. */
  readonly account_id: number | null
  /** Public id of the thing. */
  readonly thing: string | null
  readonly actor_kind: 'account' | 'plugin' | 'system'
  readonly actor_account: number | null
  /** `session` or `token`. */
  readonly actor_by: string | null
  /** The public id of the session or token, or the feature of the plugin. */
  readonly actor_name: string | null
  /** Of the client, or its network; null if it was not to be kept, or if there was none. */
  readonly actor_address: string | null
  /** `Details` as JSON. */
  readonly details: string
}

/** What the thing was and is; of what was updated, that alone which differs. */
export interface Details {
  readonly before: Readonly<Record<string, Json>> | null
  readonly after: Readonly<Record<string, Json>> | null
  readonly changed: readonly string[]
}

export type OwnContext<S extends Fields = Fields> = Context<S, unknown, Tables>

export function detailsOf({ details }: Pick<Row, 'details'>): Details {
  return JSON.parse(details)
}

/** Everything that a row tells, in one order. */
export function hashOf(prev: string, recorded: Recorded): string {
  const { event_id, at, type, account_id, thing, details } = recorded
  const { actor_kind, actor_account, actor_by, actor_name, actor_address } = recorded
  const who = [actor_kind, numberOr(actor_account), actor_by, actor_name]
  // Entries without an address are hashed as they were before there were any.
  const actor = actor_address === null ? who : [...who, actor_address]
  const all = [prev, event_id, Number(at), type, numberOr(account_id), thing, actor, details]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** PostgreSQL answers large numbers as text. */
function numberOr(value: number | null): number | null {
  return value === null ? null : Number(value)
}

/** The members of links that show what was written by these fields. */
const shownAs: Readonly<Record<string, string>> = {
  ...{ tagIds: 'tags', addTagIds: 'tags', removeTagIds: 'tags' },
  campaignId: 'campaign',
}

/** What an event tells. */
export function recordedOf({
  id,
  type,
  at,
  accountId,
  actor,
  before,
  after,
  ...event
}: Event): Recorded {
  const changed = event.changed.filter(name => !event.changed.includes(shownAs[name] ?? ''))
  const isUpdate = before !== null && after !== null
  const some = (thing: Event['after']) => (isUpdate ? pick(thing, changed) : thing)
  const details: Details = { before: some(before), after: some(after), changed }
  const thing = after?.id ?? before?.id
  return {
    event_id: id,
    at: Date.parse(at),
    type,
    account_id: accountId,
    thing: typeof thing === 'string' ? thing : null,
    actor_kind: actor.kind,
    actor_account: actor.kind === 'account' ? actor.accountId : null,
    actor_by: actor.kind === 'account' ? actor.by : null,
    actor_name:
      actor.kind === 'account'
        ? (actor.credential ?? null)
        : actor.kind === 'plugin'
          ? actor.feature
          : null,
    actor_address: actor.address ?? null,
    details: JSON.stringify(details),
  }
}

function pick(thing: Event['after'], names: readonly string[]) {
  return Object.fromEntries(Object.entries(thing ?? {}).filter(([name]) => names.includes(name)))
}
