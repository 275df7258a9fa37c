import { isSafeToFollow } from '../../lib/net/web-address.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { LinkView } from '../../plugin.ts'
import type { FoundLink } from '../../storage/database.ts'
import type { Owner, TrackedLink } from '../../visits/facts/open-visit.ts'
import type { LinkHooks, Steps } from '../hooks.ts'
import { type StoredFields, viewOf } from '../link.ts'
import { type Redirect, redirectTo } from './redirect.ts'

/** A link made ready to be followed: everything that can be decided before a visit is decided. */
export interface CompiledLink {
  readonly tracked: TrackedLink
  readonly version: number
  readonly url: string
  /** The whole answer of a plain link; undefined when something runs first. */
  readonly redirect: Redirect | undefined
  readonly steps: Steps
}

/** Ask every plugin once what this link needs; a refusal when the link must stay shut. */
export async function compileLink(
  found: FoundLink,
  hooks: LinkHooks,
  ownerOf: (accountId: number, plan: string) => Owner,
  headers: readonly string[],
): Promise<CompiledLink | Refusal> {
  const view = viewOf(found)
  const steps = await hooks.compile(view, JSON.parse(found.fields) as StoredFields)
  const guarding = steps.guards.map(({ feature }) => feature)
  const expected = JSON.parse(found.guarded_by) as string[]
  const missing = expected.filter(feature => !guarding.includes(feature))
  if (missing.length > 0 || steps.failed.length > 0) return closedLink()
  if (!isSafeToFollow(found.original_url)) return closedLink()

  const isPlain = steps.guards.length === 0 && steps.targets.length === 0
  return {
    tracked: { id: found.id, view, owner: ownerOf(found.account_id, found.plan) },
    version: found.version,
    url: found.original_url,
    redirect: isPlain ? redirectTo(found.original_url, headers) : undefined,
    steps: isPlain ? noSteps : steps,
  }
}

/** Shared by all plain links: most links are plain, and a hundred thousand may be in memory. */
const noSteps: Steps = { guards: [], targets: [], failed: [] }

/** The features that guard a link that is about to be saved; refused when one cannot be asked. */
export async function guardsOf(
  hooks: LinkHooks,
  link: LinkView,
  fields: StoredFields,
  account: number,
): Promise<readonly string[] | Refusal> {
  const { guards, failed } = await hooks.compile(link, fields, account)
  if (failed.length > 0) {
    return refuse(
      'unavailable',
      'The protection of this link does not respond. Try again later.',
      503,
    )
  }
  return guards.map(({ feature }) => feature)
}

/** The answer of a link whose protection is not available. */
export function closedLink(): Refusal {
  const detail = {
    en: 'This link cannot be followed right now. Try again later.',
    de: 'Diesem Link kann gerade nicht gefolgt werden. Versuche es später noch einmal.',
    fr: 'Ce lien ne peut pas être suivi pour le moment. Réessayez plus tard.',
    es: 'Este enlace no se puede seguir en este momento. Inténtalo más tarde.',
  }
  return refuse('unavailable', detail, 503)
}
