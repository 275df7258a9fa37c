import { setImmediate as turn } from 'node:timers/promises'
import { isRefusal, type Refusal } from '../outcomes.ts'
import { late } from './answer.ts'

/**
 * Do the same to one thing after another, each on its own: what is refused does not stop the next. What
 * there is no time for any more is refused as too late, so that the rest can still be told. Before each,
 * and before what is made of all of them, it is the turn of redirects, for SQLite answers on their thread without
 * ever waiting.
 */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  budgetMs: number,
  work: (item: Item, index: number) => Promise<Result | Refusal>,
  elapsedMs = sinceNow(),
): Promise<readonly (Result | Refusal)[]> {
  const results: (Result | Refusal)[] = []
  for (const [index, item] of items.entries()) {
    await turn()
    results.push(elapsedMs() > budgetMs ? late : await work(item, index))
  }
  await turn()
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
