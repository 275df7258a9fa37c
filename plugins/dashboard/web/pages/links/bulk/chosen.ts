import { allLinks, type Link, type LinksQuestion } from '../../../api/links.ts'

/** Links that something is done to: some that are on the screen, or all that a question fits. */
export type Chosen =
  | { readonly links: readonly Link[] }
  | { readonly question: LinksQuestion; readonly total: number }

/** How many they are. */
export function countOf(chosen: Chosen): number {
  return 'links' in chosen ? chosen.links.length : chosen.total
}

/** All of them, as they are now. */
export async function linksOf(chosen: Chosen, signal: AbortSignal): Promise<readonly Link[]> {
  if ('links' in chosen) return chosen.links
  const found: Link[] = []
  for await (const { links } of allLinks(chosen.question, signal)) found.push(...links)
  return found
}
