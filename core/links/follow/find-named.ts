import type { IncomingMessage } from 'node:http'
import { type Follow, isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import type { CodeRules, File } from '../../plugin.ts'
import type { FoundLink } from '../../storage/database.ts'
import { openUnknown } from '../../visits/facts/open-visit.ts'
import { codesIn, formOf } from '../codes/code-rules.ts'
import { pathIn } from '../codes/read-path.ts'
import { isReserved, type Paths } from '../codes/reserved-codes.ts'
import { pathOf } from '../codes/wide-code.ts'
import type { Shown, ViewStep } from '../hooks.ts'
import { type CompiledLink, compileLink } from './compile.ts'
import type { FollowDeps } from './follow-deps.ts'
import type { ReadVisit } from './record-visit.ts'

/** What a path names: a link, or why it stays closed, and what of it is wanted. */
interface Named {
  readonly link: CompiledLink | Refusal
  readonly view: ViewStep | undefined
  /** What stood behind the code. */
  readonly rest: string
  /** What is answered in place of whatever the link would answer. */
  readonly instead: File | undefined
}

/**
 * Finds what a path names. Where that is no link, plugins are asked in turn what it stands for; undefined if nobody knows. Where
 * the owner of the host says where unknown codes lead, no plugin leads them elsewhere: it can only find the link that was meant.
 */
export async function findNamed(
  deps: FollowDeps,
  req: IncomingMessage,
  read: ReadVisit,
): Promise<Named | Shown | undefined> {
  const path = pathIn(req)
  const named = await findAt(deps, path)
  const isFollowing = ['GET', 'HEAD', 'POST'].includes(req.method ?? '')
  if (named || deps.hooks.unknown.length === 0 || !isFollowing) return named
  const { name: host = '', accountId, notFoundUrl = null } = deps.host ?? {}
  const where = { host, accountId: accountId ?? undefined, path }
  const visit = openUnknown(read, where, deps.placeOf)
  for (const { feature, run } of deps.hooks.unknown) {
    let outcome = await run(visit)
    while (outcome?.kind === 'follow') {
      const meant = await findAt(deps, outcome.path, { ...outcome, feature })
      if (meant) return meant
      outcome = outcome.otherwise
    }
    if (outcome && notFoundUrl === null) return outcome
  }
  return undefined
}

/** What a plugin wants of the link that it names: `rest` is for links of its feature. */
interface Wanted extends Pick<Follow, 'rest' | 'instead'> {
  readonly feature: string
}

async function findAt(deps: FollowDeps, path: string, wanted?: Wanted): Promise<Named | undefined> {
  const rules = deps.rules()
  const { rest, instead } = wanted ?? {}
  const isWhole = rest === undefined && !instead
  for (const { code, suffix } of codesIn(path, rules)) {
    const view = suffix === undefined ? undefined : deps.hooks.findView(suffix)
    if (suffix !== undefined && !(view && isWhole)) continue
    const link =
      (await findLink(deps, pathOf(code), () => deps.findLink(code))) ??
      (await findByForm(deps, code, rules))
    if (!link) continue
    // Only links of the feature that names them take what is behind their codes; one that is closed says so, whatever it would take.
    const isOf = (step: { readonly feature: string }) => step.feature === wanted?.feature
    if (rest === undefined || isRefusal(link) || link.steps.targets.some(isOf))
      return { link, view, rest: rest ?? '', instead }
  }
  return undefined
}

/** Finds a link by another spelling of its code, on a host where that is the same. */
async function findByForm(
  deps: FollowDeps,
  code: string,
  rules: CodeRules,
): Promise<CompiledLink | Refusal | undefined> {
  const form = formOf(code, rules)
  // What browsers and programs look for on a host is never another spelling of somebody's code.
  if (form === undefined || isReserved(deps.host?.name ?? '', code, noPaths)) return undefined
  return findLink(deps, `${formMark}${form}`, () => deps.findForm(form))
}

/** Those of plugins are answered before links are looked for. */
const noPaths: Paths = new Map()

/** No path has it, so no code in the cache is taken for a form. */
const formMark = '\t'

/**
 * Finds a link in the cache or in the database, and keeps it ready. A link that must stay closed is not kept. One that is
 * doubtful is followed only while the database does not answer.
 */
async function findLink(
  deps: FollowDeps,
  key: string,
  find: () => Promise<FoundLink | undefined>,
): Promise<CompiledLink | Refusal | undefined> {
  const ready = deps.cache.get(key) ?? deps.cache.inSilence(key)
  if (ready) return ready
  const keep = deps.cache.prepare()
  let found: FoundLink | undefined
  try {
    found = await find()
  } catch (error) {
    deps.cache.noteSilence()
    const doubtful = deps.cache.doubtful(key)
    if (doubtful) return doubtful
    throw error
  }
  const link = found && (await compileLink(found, deps.hooks, deps.ownerOf, deps))
  keep(key, link && isRefusal(link) ? undefined : link)
  return link
}
