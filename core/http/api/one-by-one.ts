import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import { tookTooLong } from './answer.ts'

/**
 * Begins the same work with one item after another, each on its own: a refused item does not stop the next, and
 * one that waits for the disk does not keep the next from beginning, so that one flush serves many. Items
 * for which no time is left are refused as too late, so that the results of the others can still be told. Each
 * item, and what follows after all of them, begins in a turn of its own. `work` must not reject.
 */
export async function oneByOne<Item, Result>(
  items: readonly Item[],
  budgetMs: number,
  work: (item: Item, index: number) => Promise<Result | Refusal>,
  elapsedMs = sinceNow(),
): Promise<readonly (Result | Refusal)[]> {
  const underWay: (Refusal | Promise<Result | Refusal>)[] = []
  for (const [index, item] of items.entries()) {
    await yieldToRedirects()
    underWay.push(elapsedMs() > budgetMs ? tookTooLong : work(item, index))
  }
  const results = await Promise.all(underWay)
  await yieldToRedirects()
  return results
}

/** The results that are not refusals. */
export function successesOf<Result extends object>(
  results: readonly (Result | Refusal)[],
): readonly Result[] {
  return results.filter((result): result is Result => !isRefusal(result))
}

function sinceNow(): () => number {
  const startedAt = performance.now()
  return () => performance.now() - startedAt
}
