import { z } from 'zod'
import type { SignedIn } from '../../../accounts/account.ts'
import { pathByKey } from '../../../kernel/load/taken-names.ts'
import type { RunningPlugin } from '../../../kernel/run/start-plugins.ts'
import { toSnake } from '../../../lib/text/casing.ts'
import { inCodeForm } from '../../../links/codes/wide-code.ts'
import type { Link } from '../../../links/link.ts'
import { findLinkIn } from '../../../links/read/find-link.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Entitlements } from '../../../settings/entitlements.ts'
import { versionedReply } from '../../api/etag.ts'
import { checkPart } from '../../api/input/read-input.ts'
import {
  attemptWithoutKey,
  type Call,
  type Reply,
  type Route,
  route,
} from '../../api/route/route.ts'
import { allWrong } from './all-wrong.ts'
import { type LinkActions, type NewLinkBody, noSuchLink } from './link-actions.ts'
import type { LinkRouteDeps } from './link-routes.ts'
import { linkChangeSchema, linkSchema, newLinkSchema } from './link-schemas.ts'

interface Deps extends LinkRouteDeps {
  readonly running: readonly RunningPlugin[]
  readonly entitlements: Pick<Entitlements, 'check'>
}

/** A new link, with what plugins add. */
type Checked = NewLinkBody & { readonly shortCode?: string | null } & Readonly<
    Record<string, unknown>
  >

/** How often others may make and delete the link meanwhile. */
const maxTries = 5

const cannotChange = 'This link has another, which cannot be changed.'
const nothingToMatch = refuse('stale', 'There is no such link, so `If-Match` does not match.', 412)

/** A link by what a plugin calls its key, such as the id that it has in another program: read, make or change, delete. */
export function keyedLinkRoutes(deps: Deps): readonly Route[] {
  return deps.running.flatMap(({ plugin: { feature, unstable: { keys = [] } = {} } }) =>
    keys.flatMap(key => routesOf(key, feature, deps)),
  )
}

function routesOf(key: string, feature: string, deps: Deps): readonly Route[] {
  const { links, fields, filters, actions, entitlements } = deps
  const path = pathByKey(key)
  const by = `By${key.charAt(0).toUpperCase()}${key.slice(1)}`
  const words = `this ${toSnake(key).replaceAll('_', ' ')}`
  const newLink = z.lazy(() => newLinkSchema(fields, links))
  const linkChange = z.lazy(() => linkChangeSchema(fields))
  const answer = z.lazy(() => z.object({ data: linkSchema(deps) }))
  const shared = { group: 'Links', isVersioned: true } as const
  const isOther = refuse('validation_failed', 'Leave it out, or send what the path has.', 422, key)

  /** What a path names, as it is stored; undefined if no link can have it. */
  function readKey(id = ''): unknown {
    const checked = checkPart(fields.requestShape('create')[key] ?? z.never(), id, id)
    return isRefusal(checked) ? undefined : checked.value
  }

  async function find({ accountId }: SignedIn, value: unknown): Promise<Link | Refusal> {
    if (value === undefined) return noSuchLink
    const rows = await filters.rows({ [key]: value }, accountId)
    if (isRefusal(rows)) return rows
    return (await findLinkIn(links.db, accountId, rows)) ?? noSuchLink
  }

  /** What a body changes about a link. Who may not change its code or URL may still say what these are. */
  function changeOf(link: Link, body: object, { originalUrl, shortCode }: Checked) {
    const same = [
      key,
      ...(originalUrl === link.originalUrl ? ['originalUrl'] : []),
      ...(!shortCode || inCodeForm(shortCode) === link.shortCode ? ['shortCode'] : []),
    ]
    return Object.fromEntries(Object.entries(body).filter(([name]) => !same.includes(name)))
  }

  async function change(doing: LinkActions, call: Call<object>, link: Link, checked: Checked) {
    const changes = changeOf(link, call.body, checked)
    const { shape } = linkChange.unwrap()
    const fixed = Object.keys(changes).find(name => !Object.hasOwn(shape, name))
    if (fixed !== undefined) return refuse('validation_failed', cannotChange, 422, fixed)
    const read = checkPart(linkChange, changes, call.sent)
    return isRefusal(read) ? read : doing.change(call.caller, link.id, read.value, call.ifMatch)
  }

  async function reply(link: Link): Promise<Reply> {
    await deps.catchUp()
    const location = { Location: `/api/v1/links/${link.id}` }
    return versionedReply(link.version, await deps.show.one(link), location)
  }

  return [
    route(`GET ${path}`, {
      ...shared,
      name: `links.show${by}`,
      summary: `Read the link that has ${words}`,
      scope: 'links:read',
      answer,
      async handle({ caller, params: { id } }) {
        const link = await find(caller, readKey(id))
        return isRefusal(link) ? link : reply(link)
      },
    }),

    route(`PUT ${path}`, {
      ...shared,
      name: `links.put${by}`,
      summary: `Make the link that has ${words}, or change it`,
      scope: 'links:write',
      // Which fields it may have depends on whether the link is there.
      body: z.looseObject({}),
      describedBody: newLink,
      answer,
      status: 201,
      also: 200,
      resumes: true,
      tries: true,
      async handle(call) {
        const { caller, params, body, sent, ifMatch, attempt } = call
        const barred = entitlements.check(caller.account.plan, feature)
        if (barred) return barred
        const checked = checkPart(newLink, { [key]: params.id, ...body }, sent)
        if (isRefusal(checked)) return checked
        const value = readKey(params.id)
        const link: Checked = checked.value
        if (link[key] !== value) return isOther
        const doing = call.isDry ? actions.tried() : actions
        const wasMade = (await attempt.made()) !== undefined
        const save = async () => {
          for (let tries = 1; ; tries++) {
            const there = wasMade ? noSuchLink : await find(caller, value)
            if (isRefusal(there) && there !== noSuchLink) return there
            if (isRefusal(there) && !wasMade && ifMatch !== undefined) return nothingToMatch
            const isThere = !isRefusal(there)
            const saveBy = (way: LinkActions, as: typeof call, it: Checked) =>
              isThere ? change(way, as, there, it) : way.create(as, it)
            const saved = await saveBy(doing, call, link)
            if (!isRefusal(saved)) return { ...(await reply(saved)), status: isThere ? 200 : 201 }
            // Somebody else may have made it meanwhile, or deleted it.
            const now = wasMade ? noSuchLink : await find(caller, value)
            if (!isRefusal(now) !== isThere && tries < maxTries) continue
            const again = { ...call, attempt: attemptWithoutKey }
            return allWrong(saved, body, sent, it => {
              const rest = Object.fromEntries(
                Object.entries(link).filter(([name]) => name === key || name in it),
              )
              return saveBy(actions.tried(), { ...again, body: it }, rest as Checked)
            })
          }
        }
        // Whoever comes second finds what the first has made. A trial has its turn at writing already.
        const turn = JSON.stringify([caller.accountId, key, value])
        return call.isDry ? save() : links.linkTurns(turn, save)
      },
    }),

    route(`DELETE ${path}`, {
      ...shared,
      name: `links.destroy${by}`,
      summary: `Delete the link that has ${words}, and its visits`,
      scope: 'links:write',
      status: 204,
      tries: true,
      async handle({ caller, params: { id }, ifMatch, isDry }) {
        const link = await find(caller, readKey(id))
        const doing = isDry ? actions.tried() : actions
        const deleted = isRefusal(link) ? link : await doing.delete(caller, link.id, ifMatch)
        return isRefusal(deleted) ? deleted : {}
      },
    }),
  ]
}
