/**
 * Memoize a pure function of a text or number. It keeps the results of at least the last `max` keys (default 2,000) and of
 * at most twice as many. Use it for keys that come often, such as headers of browsers. Texts above 2,048 characters are not kept.
 *
 * @example
 * remember(name => name.toLowerCase(), 500)('Fox') // fox
 */
export function remember<T, Key extends string | number = string>(
  of: (key: Key) => T,
  max = 2_000,
): (key: Key) => T {
  let earlier = new Map<Key, { readonly value: T }>()
  let lately = new Map<Key, { readonly value: T }>()
  return key => {
    const known = lately.get(key)
    if (known) return known.value
    if (typeof key === 'string' && key.length > 2_048) return of(key)
    const found = earlier.get(key) ?? { value: of(key) }
    lately.set(ownText(key), found)
    if (lately.size >= max) {
      earlier = lately
      lately = new Map()
    }
    return found.value
  }
}

/** A part of a text keeps all of that in memory, which may be much longer. */
function ownText<Key extends string | number>(key: Key): Key {
  return typeof key === 'string' ? (Buffer.from(key).toString() as Key) : key
}
