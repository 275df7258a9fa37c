/** A map that keeps the `max` keys used last. */
export interface Lru<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  /** Returns whether it was there. */
  delete(key: K): boolean
  clear(): void
}

/** Creates an empty map. Values are never undefined, which stands for a missing key. */
export function createLru<K, V>(max: number): Lru<K, V> {
  const entries = new Map<K, V>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      // A map keeps the order of insertion. A used key moves to the end, so the first is the one used longest ago.
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= max) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
    delete: key => entries.delete(key),
    clear: () => entries.clear(),
  }
}
