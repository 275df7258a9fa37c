import { isSafeToFollow } from '../../lib/net/web-address.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
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
  /** How much of the cache it takes; a link of usual size takes 1. */
  readonly size: number
}

/**
 * Asks every plugin once what this link needs; a refusal if the link must stay shut, because one that guards it fails or
 * is off.
 */
export async function compileLink(
  found: FoundLink,
  hooks: LinkHooks,
  ownerOf: (accountId: number, plan: string) => Owner,
  { headers, mayLeadTo }: { readonly headers: readonly string[]; mayLeadTo(url: string): boolean },
): Promise<CompiledLink | Refusal> {
  if (found.links_closed === 1) return suspended
  const view = Object.freeze(viewOf(found)) // All plugins and visits share it.
  const steps = await hooks.compile(view, JSON.parse(found.fields) as StoredFields)
  const guardedBy = JSON.parse(found.guarded_by) as string[]
  const isUnguarded = guardedBy.some(feature => !hooks.canGuard(feature))
  if (isUnguarded || steps.failed.length > 0) return closedLink()
  if (!isSafeToFollow(found.original_url, 'any')) return closedLink()

  const isPlain = steps.guards.length === 0 && steps.targets.length === 0
  if (isPlain && !mayLeadTo(found.original_url)) return notAllowed
  return {
    tracked: { id: found.id, view, owner: ownerOf(found.account_id, found.plan) },
    version: found.version,
    url: found.original_url,
    redirect: isPlain ? redirectTo(found.original_url, headers) : undefined,
    steps: isPlain ? noSteps : steps,
    size: sizeOf(found),
  }
}

/** The address is kept in several forms, and fields take several times as much as their text. */
function sizeOf({ original_url: url, fields }: FoundLink): number {
  return 1 + Math.floor((3 * url.length + fields.length) / 1024)
}

/** Shared by all plain links: most links are plain, and a hundred thousand may be in memory. */
const noSteps: Steps = { guards: [], targets: [], failed: [] }

/** The answer of the links of an account that an admin suspended with them. */
const suspended = refuse(
  'link_suspended',
  {
    en: 'This link was suspended by the operator of this site.',
    de: 'Dieser Link wurde vom Betreiber dieser Seite gesperrt.',
    fr: 'Ce lien a été suspendu par l’exploitant de ce site.',
    es: 'El operador de este sitio ha suspendido este enlace.',
  },
  403,
)

/** The answer where an address has a scheme that the operator allows no more. */
export const notAllowed = refuse(
  'target_not_allowed',
  {
    en: 'This link leads to an address that is not allowed here.',
    de: 'Dieser Link führt zu einer Adresse, die hier nicht erlaubt ist.',
    fr: 'Ce lien mène à une adresse qui n’est pas autorisée ici.',
    es: 'Este enlace lleva a una dirección que no está permitida aquí.',
  },
  403,
)

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
