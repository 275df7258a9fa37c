import { ownTurn, putOff } from './own-turn.ts'

interface Together<Item, Result> {
  /** So many are done in one go at most. */
  readonly atMost: number
  /** Only what has the same key is done together. */
  keyOf(item: Item): unknown
  /** Whether what comes while something with its key is done waits for the end of that: absent, it does not. */
  readonly inTurn?: boolean
  /** What comes of each, in their order. */
  work(items: readonly Item[]): Promise<readonly (Result | Promise<Result>)[]>
}

/**
 * Have done in one go what several ask for at the same moment; each of them goes on in a turn of the event
 * loop of one's own. Who is alone waits for nobody.
 */
export function together<Item, Result>({
  atMost,
  keyOf,
  inTurn = false,
  work,
}: Together<Item, Result>): (item: Item) => Promise<Result> {
  const gathering = new Map<unknown, Asked<Item, Result>[]>()
  /** What has begun and not ended, where that is waited for. */
  const underWay = new Set<unknown>()

  async function answer(key: unknown, asked: Asked<Item, Result>[]): Promise<void> {
    // They were answered when there was no room for more.
    if (gathering.get(key) !== asked || underWay.has(key)) return
    gathering.delete(key)
    if (asked.length > atMost) gathering.set(key, asked.splice(atMost))
    if (inTurn) underWay.add(key)
    try {
      const results = await work(asked.map(({ item }) => item))
      for (const [index, { resolve }] of asked.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
    underWay.delete(key)
    const next = gathering.get(key)
    if (inTurn && next) void answer(key, next)
  }

  return async item => {
    const key = keyOf(item)
    const asked = gathering.get(key) ?? []
    gathering.set(key, asked)
    const own = Promise.withResolvers<Result>()
    asked.push({ ...own, item })
    if (asked.length === 1) putOff(() => void answer(key, asked), atMost)
    if (asked.length === atMost) void answer(key, asked)
    const result = await own.promise
    if (asked.length > 1) await ownTurn()
    return result
  }
}

interface Asked<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
}
