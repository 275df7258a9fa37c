import { allLinks, type Link, type LinksQuestion } from '../../../api/links/links.ts'

/** The links of an action: some that are on the screen, or all that match a query. */
export type Chosen =
  | { readonly links: readonly Link[] }
  | { readonly question: LinksQuestion; readonly total: number }

/** How many links they are. */
export function countOf(chosen: Chosen): number {
  return 'links' in chosen ? chosen.links.length : chosen.total
}

/** All of the links, as they are now. */
export async function linksOf(chosen: Chosen, signal: AbortSignal): Promise<readonly Link[]> {
  const found: Link[] = []
  for await (const { links } of portionsOf(chosen, signal)) found.push(...links)
  return found
}

/** The same in portions, as they arrive. */
export async function* portionsOf(
  of: Portioned,
  signal: AbortSignal,
): AsyncGenerator<{ readonly links: readonly Link[]; readonly total: number }> {
  if ('links' in of) yield { links: of.links, total: of.links.length }
  else yield* allLinks(of.question, signal)
}

/** Links whose number is not needed beforehand. */
export type Portioned = { readonly links: readonly Link[] } | { readonly question: LinksQuestion }
