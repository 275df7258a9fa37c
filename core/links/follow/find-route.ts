import type { Page } from '../../plugin/answers/page.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import type { Routed, Target, Visit } from '../../plugin.ts'
import type { NamedStep } from '../hooks.ts'
import { type CompiledLink, closedLink, notAllowed } from './compile.ts'
import type { FollowDeps } from './follow-deps.ts'

/** Where a visitor is sent, and how; or the page that a target shows instead. */
export interface Route extends Pick<Routed, 'url' | 'status' | 'headers'> {
  readonly variants?: Visit['variants']
  readonly shown?: Page
  /** Who asks something before the visitor leaves. */
  readonly asker?: NamedStep<Target> | undefined
}

/** Asks the targets of a link in turn; a refusal if one of them leads where nobody may be led. */
export async function findRoute({
  deps: { hooks, mayLeadTo },
  link,
  visit,
}: {
  readonly deps: FollowDeps
  readonly link: CompiledLink
  readonly visit: Visit
}): Promise<Route | Refusal> {
  if (link.redirect) return link
  const variants: Record<string, string> = {}
  let way: Pick<Routed, 'url' | 'status' | 'headers'> = link
  let asker: Route['asker']
  for (const target of link.steps.targets) {
    const routed = await hooks.target(target, visit, way.url)
    if (!routed) return closedLink()
    if ('kind' in routed && routed.kind === 'page')
      return { ...way, variants, asker, shown: routed }
    if ('kind' in routed) {
      asker ??= target
      continue
    }
    const { variant, ...next } = routed
    if (variant !== undefined) variants[target.feature] = variant
    way = { ...way, ...next, headers: { ...way.headers, ...next.headers } }
  }
  return mayLeadTo(way.url) ? { ...way, variants, asker } : notAllowed
}
