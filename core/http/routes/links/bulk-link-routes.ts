import { z } from 'zod'
import type { LinkAnswers } from '../../../kernel/hooks/link-answers.ts'
import type { LinkFields } from '../../../kernel/hooks/link-fields.ts'
import type { LinkStatuses } from '../../../kernel/hooks/link-statuses.ts'
import { yieldToRedirects } from '../../../lib/async/yield-to-redirects.ts'
import { readPublicId } from '../../../lib/public-id.ts'
import { valueAt } from '../../../lib/text/casing.ts'
import type { Link } from '../../../links/link.ts'
import type { LinkDeps } from '../../../links/write/link-deps.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Log } from '../../../plugin.ts'
import { isDangling } from '../../../storage/foreign-keys.ts'
import { withNameAsSent } from '../../api/answer.ts'
import { failureOf, isForLog } from '../../api/failure.ts'
import { checkPart } from '../../api/input/read-input.ts'
import { oneByOne, successesOf } from '../../api/one-by-one.ts'
import { attemptWithoutKey, type Route, route } from '../../api/route/route.ts'
import { problemOf, problemSchema } from '../../send/problem.ts'
import { allWrong } from './all-wrong.ts'
import { type InTurnDeps, inTurn } from './in-turn.ts'
import type { LinkActions } from './link-actions.ts'
import { linkChangeSchema, linkSchema, newLinkSchema } from './link-schemas.ts'
import type { ShowLinks } from './show-links.ts'

export interface BulkDeps extends InTurnDeps {
  readonly links: Pick<LinkDeps, 'db' | 'ownHosts' | 'targetSchemes'>
  readonly actions: LinkActions
  readonly show: ShowLinks
  readonly fields: LinkFields
  readonly answers: LinkAnswers
  readonly statuses: Pick<LinkStatuses, 'names'>
  readonly log: Log
}

const maxAtOnce = 100

/** Less than a whole answer may take, in milliseconds, so that what was done can still be told. */
const budgetMs = 8_000

const ids = z
  .array(z.string())
  .min(1)
  .max(maxAtOnce)
  .superRefine((given, context) => {
    for (const [index, id] of given.entries()) {
      if (given.indexOf(id) === index) continue
      context.addIssue({ code: 'custom', path: [index], message: 'Occurs twice.' })
    }
  })
  .meta({ uniqueItems: true })

const manyOf = (link: z.ZodType) => z.array(link).min(1).max(maxAtOnce)
const anyLinks = z.strictObject({ links: manyOf(z.unknown()) })
const whichLinks = z.strictObject({ ids })

const ofOneLink = refuse(
  'validation_failed',
  'Each link needs its own short code: change the links one by one.',
  422,
  'shortCode',
)

const status = z.int().min(100).max(599)
const problem = problemSchema.nullable()

const deleted = z.object({
  data: z.array(z.object({ id: z.string(), status, problem })),
  meta: z.object({ deleted: z.int().min(0), failed: z.int().min(0) }),
})

type LinkOrNot = Promise<Link | Refusal>
type Results = readonly (Link | Refusal)[]

/** Up to a hundred links in a request, each with a result of its own: one that fails stops no other. */
export function bulkLinkRoutes(deps: BulkDeps): readonly Route[] {
  const { actions, fields, links, log } = deps
  const doInTurn = inTurn(deps)
  const link = z.lazy(() => linkSchema(deps).nullable())
  const newLink = z.lazy(() => newLinkSchema(fields, links))
  const shared = { group: 'Links', scope: 'links:write' } as const

  /** A failure is that of one link, not of the whole request. Fields are named as in `sent`. */
  async function contained(work: () => LinkOrNot, sent: unknown, requestId: string): LinkOrNot {
    try {
      const result = await work()
      return isRefusal(result) ? withNameAsSent(result, sent) : result
    } catch (error) {
      if (isForLog(error) && !isDangling(error))
        log.error('One of many links failed', { requestId, error })
      return failureOf(error)
    }
  }

  /** How each of the items is done. What is only tried waits for all the others, so that none can be left for lack of time. */
  function ways<Item>(isDry: boolean, items: readonly Item[]) {
    type Work = (item: Item, index: number) => LinkOrNot
    if (!isDry) return { doing: actions, each: (work: Work) => oneByOne(items, budgetMs, work) }
    const doing = actions.tried(items.length)
    const each = (work: Work) =>
      oneByOne(items, Number.POSITIVE_INFINITY, (item, index) =>
        work(item, index).finally(doing.ended),
      )
    return { doing, each }
  }

  /** Each result with its link as the API shows it, or with its problem. */
  async function showEach(results: Results, status: number, requestId: string) {
    const links = successesOf<Link>(results)
    const shown = new Map((await deps.show.all(links)).map((it, index) => [links[index], it]))
    await yieldToRedirects()
    return results.map(it =>
      isRefusal(it)
        ? { status: it.status, link: null, problem: problemOf(it, requestId) }
        : { status, link: shown.get(it) ?? null, problem: null },
    )
  }

  return [
    route('POST /links/bulk', {
      ...shared,
      name: 'links.bulkCreate',
      summary: 'Create up to 100 short links',
      body: anyLinks,
      describedBody: z.lazy(() => z.strictObject({ links: manyOf(newLink) })),
      answer: z.lazy(() =>
        z.object({
          data: z.array(z.object({ index: z.int().min(0), status, link, problem })),
          meta: z.object({ created: z.int().min(0), failed: z.int().min(0) }),
        }),
      ),
      resumes: true,
      tries: true,
      async handle(call) {
        const { doing, each } = ways(call.isDry, call.body.links)
        const results = await each((part, index) => {
          const sent = valueAt(call.sent, ['links', index])
          const body = checkPart(newLink, part, sent)
          if (isRefusal(body)) return Promise.resolve(body)
          const make = async () => {
            const made = await doing.create(call, body.value, { part: index })
            if (!isRefusal(made)) return made
            const as = { caller: call.caller, attempt: attemptWithoutKey }
            return allWrong(made, body.value, sent, it =>
              (call.isDry ? doing : actions.tried()).create(as, it),
            )
          }
          return contained(make, sent, call.requestId)
        })
        const shown = await showEach(results, 201, call.requestId)
        const { succeeded, failed } = sumsOf(results)
        const data = shown.map((it, index) => ({ index, ...it }))
        return { body: { data, meta: { created: succeeded, failed } } }
      },
    }),

    route('PATCH /links/bulk', {
      ...shared,
      name: 'links.bulkUpdate',
      summary: 'Apply the same change to up to 100 links',
      body: z.lazy(() => linkChangeSchema(fields).extend({ ids })),
      answer: z.lazy(() =>
        z.object({
          data: z.array(z.object({ id: z.string(), status, link, problem })),
          meta: z.object({ updated: z.int().min(0), failed: z.int().min(0) }),
        }),
      ),
      tries: true,
      async handle({ caller, body: { ids, ...change }, sent, requestId, isDry }) {
        if (ids.length > 1 && 'shortCode' in change) return ofOneLink
        const more = JSON.stringify(change).length
        return doInTurn({ ...caller, rowIds: rowsOf(ids), more }, async () => {
          const { doing, each } = ways(isDry, ids)
          const results = await each(id =>
            contained(() => doing.change(caller, id, change), sent, requestId),
          )
          const shown = await showEach(results, 200, requestId)
          const { succeeded, failed } = sumsOf(results)
          const data = ids.map((id, index) => ({ id, ...shown[index] }))
          return { body: { data, meta: { updated: succeeded, failed } } }
        })
      },
    }),

    route('DELETE /links/bulk', {
      ...shared,
      name: 'links.bulkDestroy',
      summary: 'Delete up to 100 links and their visits',
      body: whichLinks,
      answer: deleted,
      tries: true,
      async handle({ caller, body: { ids }, sent, requestId, isDry }) {
        return doInTurn({ ...caller, rowIds: rowsOf(ids) }, async () => {
          const { doing, each } = ways(isDry, ids)
          const results = await each(id =>
            contained(() => doing.delete(caller, id), sent, requestId),
          )
          const { succeeded, failed } = sumsOf(results)
          const data = results.map((it, index) => ({
            id: ids[index],
            status: isRefusal(it) ? it.status : 204,
            problem: isRefusal(it) ? problemOf(it, requestId) : null,
          }))
          return { body: { data, meta: { deleted: succeeded, failed } } }
        })
      },
    }),
  ]
}

function rowsOf(ids: readonly string[]): readonly number[] {
  return ids.flatMap(id => readPublicId('lnk', id) ?? [])
}

function sumsOf(results: Results) {
  const succeeded = successesOf<Link>(results).length
  return { succeeded, failed: results.length - succeeded }
}
