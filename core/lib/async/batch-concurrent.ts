import { putOff, yieldToRedirects } from './yield-to-redirects.ts'

interface Batching<Item, Result> {
  /** How many items are done in one go at most. */
  readonly atMost: number
  /** Only items with the same key are done together. */
  keyOf(item: Item): unknown
  /** Whether items wait while earlier ones with the same key are being done. Default: false. */
  readonly inTurn?: boolean
  /** Returns the result of each item, in their order. */
  work(items: readonly Item[]): Promise<readonly (Result | Promise<Result>)[]>
}

/**
 * Returns a function that does in one go what several callers ask for at the same moment. Each of them then
 * goes on in its own turn of the event loop. A lone caller waits for nobody.
 */
export function batchConcurrent<Item, Result>({
  atMost,
  keyOf,
  inTurn = false,
  work,
}: Batching<Item, Result>): (item: Item) => Promise<Result> {
  const gathering = new Map<unknown, Asked<Item, Result>[]>()
  /** The keys whose items are being done; only used with `inTurn`. */
  const underWay = new Set<unknown>()

  async function answer(key: unknown, asked: Asked<Item, Result>[]): Promise<void> {
    // Either these were done once there were `atMost` of them, or they are next when those under way are done.
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
    if (asked.length > 1) await yieldToRedirects()
    return result
  }
}

interface Asked<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
}
