/** A map that keeps the `max` keys used last. */
export interface Lru<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  clear(): void
}

/** An empty one. Values are never undefined: that stands for a key that is not there. */
export function createLru<K, V>(max: number): Lru<K, V> {
  const entries = new Map<K, V>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      // A map keeps the order of insertion: put last again, the first is the one used longest ago.
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
    clear: () => entries.clear(),
  }
}
