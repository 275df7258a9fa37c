import { setImmediate as turn } from 'node:timers/promises'
import { publicId } from '../../lib/public-id.ts'
import type { LinkHooks } from '../../links/hooks.ts'
import { type Link, shownToPlugins } from '../../links/link.ts'
import type { RenewField } from '../../links/write/renew-field.ts'
import type { Listeners } from '../../plugin/background.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { AddressedLink, Context, Fields, Later, Tables } from '../../plugin.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import { type Containment, unlessFailed } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import { createFollowHooks } from './follow-hooks.ts'
import { createHandOver } from './hand-over-hooks.ts'
import { type AddressesOf, unchanged } from './link-addresses.ts'
import type { LinkFields } from './link-fields.ts'
import { type CheckFeature, createWritingHooks, unavailable } from './writing-hooks.ts'

/** How many links of a deleted account plugins are told of at once. */
const linksAtOnce = 50

type Event = 'created' | 'updated' | 'deleted'

/** Tells a plugin of a link, as plugins may see it. */
type Tell = (
  on: Listeners<Fields, unknown, Tables>,
  link: AddressedLink,
  context: Context,
) => Later<void>

const tellOf: Readonly<Record<'created' | 'deleted', Tell>> = {
  created: (on, link, context) => on.created?.(link, context),
  deleted: (on, link, context) => on.deleted?.(link, context),
}

/** Runs the hooks of the running plugins for links. */
export function createLinkHooks(
  running: readonly RunningPlugin[],
  fields: LinkFields,
  contain: Containment,
  check: CheckFeature,
  addressesOf: AddressesOf,
  targetSchemes: readonly string[],
  renewField: RenewField,
  limitOf: Entitlements['limit'],
): LinkHooks {
  const hearing = (event: Event) => running.filter(({ plugin }) => plugin.on?.[event])
  const hearers = {
    created: hearing('created'),
    updated: hearing('updated'),
    deleted: hearing('deleted'),
  }

  async function tell(
    event: Event,
    link: Link,
    members: readonly RunningPlugin[],
    hear: Tell,
  ): Promise<void> {
    const addressed = () => ({ ...shownToPlugins(link), addresses: addressesOf(unchanged(link)) })
    const about = { part: `on.${event}`, account: link.accountId, link: link.id }
    await Promise.all(
      members.map(({ plugin: { feature, on = {} }, context }) =>
        contain.run(feature, 'on', () => hear(on, addressed(), context), about),
      ),
    )
  }

  const hearersOfVisits = running.filter(({ plugin }) => plugin.on?.visited)

  return {
    ...createWritingHooks(running, fields, contain, check, addressesOf, targetSchemes),
    ...createFollowHooks(running, fields, contain, renewField),
    handOver: createHandOver(running, contain, limitOf),
    keepHashed: createKeepHashed(running, contain, check),
    show: fields.show,

    announceUpdated(link, changed) {
      const hear: Tell = (on, seen, context) => on.updated?.({ ...seen, changed }, context)
      void tell('updated', link, hearers.updated, hear)
    },

    announceDeleted: link => void tell('deleted', link, hearers.deleted, tellOf.deleted),

    hearsOfDeleted: hearers.deleted.length > 0,

    async announceAllDeleted(links) {
      for (let at = 0; at < links.length; at += linksAtOnce) {
        const some = links.slice(at, at + linksAtOnce)
        await Promise.all(some.map(link => tell('deleted', link, hearers.deleted, tellOf.deleted)))
        await turn()
      }
    },

    announceCreated(link, plan) {
      const entitled = hearers.created.filter(({ plugin }) => !check(plan, plugin.feature))
      void tell('created', link, entitled, tellOf.created)
    },

    announceVisits(visits) {
      if (hearersOfVisits.length === 0) return
      const news = () =>
        visits.map(({ linkId, ...sum }) => ({ id: publicId('lnk', linkId), ...sum }))
      for (const { plugin, context } of hearersOfVisits) {
        const hear = () => plugin.on?.visited?.(news(), context)
        void contain.run(plugin.feature, 'on', hear, { part: 'on.visited' })
      }
    },
  }
}

/** Adds to the stored fields of a link what other programs hashed. */
function createKeepHashed(
  running: readonly RunningPlugin[],
  contain: Pick<Containment, 'run'>,
  check: CheckFeature,
): LinkHooks['keepHashed'] {
  const keepers = new Map(
    running.flatMap(({ plugin: { feature, fields = {} } }) =>
      Object.entries(fields).flatMap(([key, field]) =>
        field.storeHash && field.stored ? [[key, { feature, field }] as const] : [],
      ),
    ),
  )

  return async (fields, hashed, { accountId, account }) => {
    let after = fields
    for (const [key, hash] of Object.entries(hashed)) {
      const { feature, field } = keepers.get(key) ?? {}
      if (feature === undefined || !field)
        return wrong(key, 'No field of this name is hashed here.')
      const barred = check(account.plan, feature)
      if (barred) return barred
      if (fields[feature]?.[key] !== undefined) return wrong(key, `Has ${key} beside it: give one.`)
      const details = { part: `fields.${key}`, account: accountId }
      const read = unlessFailed(
        await contain.run(feature, 'store', () => field.storeHash?.(hash), details),
      )
      if (!read) return unavailable()
      if ('problem' in read) return wrong(key, read.problem)
      after = { ...after, [feature]: { ...after[feature], [key]: read.stored } }
    }
    return after
  }
}

function wrong(key: string, problem: string): Refusal {
  return refuse('validation_failed', problem, 422, `hashed.${key}`)
}
