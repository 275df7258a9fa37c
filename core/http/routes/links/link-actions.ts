import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { SignedIn } from '../../../accounts/account.ts'
import { readPublicId } from '../../../lib/public-id.ts'
import type { Link } from '../../../links/link.ts'
import { findLink } from '../../../links/read/find-link.ts'
import { type Addition, type AddVisits, visitAddition } from '../../../links/write/add-visits.ts'
import { linkCreation } from '../../../links/write/create-link.ts'
import { deleteLink } from '../../../links/write/delete-links.ts'
import { type LinkDeps, unheard } from '../../../links/write/link-deps.ts'
import { restoreLink } from '../../../links/write/restore-link.ts'
import type { MadeOrFound } from '../../../links/write/reuse-link.ts'
import type { Past } from '../../../links/write/save-links.ts'
import { createTrial, type Trial } from '../../../links/write/trial.ts'
import { updateLink } from '../../../links/write/update-link.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Entitlements } from '../../../settings/entitlements.ts'
import { checkIfMatch } from '../../api/etag.ts'
import type { Call } from '../../api/route/route.ts'
import type { linkChangeSchema, newLinkSchema } from './link-schemas.ts'
import type { ShowLinks } from './show-links.ts'

/** What can be done with one link, whether the request is about one or about many. */
export interface LinkActions {
  /** Make a link; `part` is its place in a request for many, `past` what it brings from elsewhere. */
  create(
    call: Pick<Call, 'caller' | 'attempt'>,
    body: NewLinkBody,
    more?: { readonly part?: number; readonly past?: Past },
  ): LinkOrNot
  /** The same, or the link that is there already. */
  createUnlessThere(
    call: Pick<Call, 'caller' | 'attempt'>,
    body: NewLinkBody,
  ): Promise<MadeOrFound | Refusal>
  /** Change the version that `ifMatch` names, or the newest. */
  change(caller: SignedIn, id: string, body: LinkChangeBody, ifMatch?: string): LinkOrNot
  delete(caller: SignedIn, id: string, ifMatch?: string): LinkOrNot
  /** Bring a deleted link back. */
  restore(caller: SignedIn, id: string): LinkOrNot
  /** The same for a request that is only tried, about so many links: all that it does is undone. */
  tried(count?: number): LinkActions & Pick<Trial, 'ended'>
  /** Add visits from elsewhere, once for each key. */
  addVisits(
    caller: SignedIn,
    id: string,
    visits: Pick<Addition, 'key' | 'brought'>,
  ): ReturnType<AddVisits>
}

type LinkOrNot = Promise<Link | Refusal>
export type NewLinkBody = z.output<ReturnType<typeof newLinkSchema>>
export type LinkChangeBody = z.output<ReturnType<typeof linkChangeSchema>>

/** The refusal for a link that does not exist, or is not the caller's. */
export const noSuchLink = refuse('not_found', 'This link does not exist.', 404)

const maxAttempts = 9

export function createLinkActions(
  links: LinkDeps,
  entitlements: Pick<Entitlements, 'features'>,
  show: Pick<ShowLinks, 'ahead' | 'within'>,
): LinkActions {
  const { db } = links
  const createLink = linkCreation(links, show.ahead)
  const addVisits = visitAddition(links)

  async function find(caller: SignedIn, id: string, ifMatch: string | undefined): LinkOrNot {
    const link = await findLink(db, caller.accountId, id)
    if (!link) return noSuchLink
    return checkIfMatch(ifMatch, link.version) ?? link
  }

  function refuseCreating(): Refusal | undefined {
    if (entitlements.features().linkCreationEnabled) return undefined
    return refuse('feature_disabled', 'Creating links is switched off on this instance.', 403)
  }

  async function make(
    { caller, attempt }: Pick<Call, 'caller' | 'attempt'>,
    body: NewLinkBody,
    { part = 0, past = {}, reuse = false }: { part?: number; past?: Past; reuse?: boolean },
  ): Promise<MadeOrFound | Refusal> {
    const made = await attempt.made(part)
    if (made !== undefined) {
      const link = await find(caller, made, undefined)
      return isRefusal(link) ? link : { link, isNew: true }
    }
    const refused = refuseCreating()
    if (refused) return refused
    const { originalUrl, title = null, notes = null, archived = false, ...given } = body
    const wanted = { originalUrl, title, notes, archived, given, past, reuse }
    return createLink(caller, wanted, (tx, { id }) => attempt.record(tx, id, part))
  }

  return {
    async create(call, body, more = {}) {
      const made = await make(call, body, more)
      return isRefusal(made) ? made : made.link
    },

    createUnlessThere: (call, body) => make(call, body, { reuse: true }),

    async change(caller, id, { title, notes, archived, ...given }, ifMatch) {
      const wanted = {
        ...(title !== undefined && { title }),
        ...(notes !== undefined && { notes }),
        ...(archived !== undefined && { archived }),
        given,
      }
      const inTurn = async () => {
        // Without `If-Match` the newest version is meant, so we try again if another server was faster.
        for (let attempt = 1; ; attempt++) {
          const link = await find(caller, id, ifMatch)
          if (isRefusal(link)) return link
          const changed = await updateLink(links, caller, link, wanted)
          const retry = isRefusal(changed) && changed.code === 'stale' && ifMatch === undefined
          if (!retry || attempt === maxAttempts) return changed
          // Many who change it at once would be in each other's way again.
          await delay(Math.random() * 2 ** attempt)
        }
      }
      // A trial has its turn at writing already: it would wait for somebody who waits for it.
      return links.trial ? inTurn() : links.linkTurns(id, inTurn)
    },

    async delete(caller, id, ifMatch) {
      const link = await find(caller, id, ifMatch)
      if (!isRefusal(link)) await deleteLink(links, link)
      return link
    },

    async restore(caller, id) {
      return refuseCreating() ?? restoreLink(links, caller, id)
    },

    tried(count = 1) {
      const trial = createTrial(db, count, show.within)
      const deps = { ...unheard(links), trial }
      return { ...createLinkActions(deps, entitlements, show), ended: trial.ended }
    },

    async addVisits(caller, id, visits) {
      const rowId = readPublicId('lnk', id)
      if (rowId === undefined) return noSuchLink
      return addVisits({ accountId: caller.accountId, rowId, ...visits })
    },
  }
}
