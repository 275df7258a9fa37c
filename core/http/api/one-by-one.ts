import { ownTurn } from '../../lib/async/own-turn.ts'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import { tookTooLong } from './answer.ts'

/**
 * Begin the same with one thing after another, each on its own: what is refused does not stop the next, and
 * what waits for the disk does not keep the next from beginning, so that one flush is for many. What there
 * is no time for any more is refused as too late, so that the rest can still be told. Each, and what is made
 * of all of them, begins in a turn of its own. `work` must not reject.
 */
export async function oneByOne<Item, Result>(
  items: readonly Item[],
  budgetMs: number,
  work: (item: Item, index: number) => Promise<Result | Refusal>,
  elapsedMs = sinceNow(),
): Promise<readonly (Result | Refusal)[]> {
  const begun: (Refusal | Promise<Result | Refusal>)[] = []
  for (const [index, item] of items.entries()) {
    await ownTurn()
    begun.push(elapsedMs() > budgetMs ? tookTooLong : work(item, index))
  }
  const results = await Promise.all(begun)
  await ownTurn()
  return results
}

/** A list without what was refused. */
export function successesOf<Result extends object>(
  results: readonly (Result | Refusal)[],
): readonly Result[] {
  return results.filter((result): result is Result => !isRefusal(result))
}

function sinceNow(): () => number {
  const begun = performance.now()
  return () => performance.now() - begun
}
