import { allLinks, type Link, type LinksQuestion } from '../../../api/links/links.ts'

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
  const found: Link[] = []
  for await (const { links } of portionsOf(chosen, signal)) found.push(...links)
  return found
}

/** The same, as many at a time as come together. */
export async function* portionsOf(
  of: Portioned,
  signal: AbortSignal,
): AsyncGenerator<{ readonly links: readonly Link[]; readonly total: number }> {
  if ('links' in of) yield { links: of.links, total: of.links.length }
  else yield* allLinks(of.question, signal)
}

/** Links that need not be counted before. */
export type Portioned = { readonly links: readonly Link[] } | { readonly question: LinksQuestion }
