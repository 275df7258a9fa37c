import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import { type CompiledLink, compileLink } from './compile.ts'
import type { FollowDeps } from './follow-deps.ts'

/** Finds the link behind a code in the database and keeps it ready. A link that must stay closed is not kept. */
export async function loadLink(
  deps: FollowDeps,
  code: string,
): Promise<CompiledLink | Refusal | undefined> {
  const keep = deps.cache.prepare()
  const found = await deps.findLink(code)
  if (!found) return undefined
  const link = await compileLink(found, deps.hooks, deps.ownerOf, deps.headers)
  if (!isRefusal(link)) keep(code, link)
  return link
}
