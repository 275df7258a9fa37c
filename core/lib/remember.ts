/**
 * The same pure function of a text or number, which remembers what it gave for the `max` asked for last, and
 * at most for as many more: for what is costly to work out and comes again and again, as the headers of
 * browsers. What is asked for again is only looked up: to keep an order of all of them would take longer.
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
    const found = earlier.get(key) ?? { value: of(key) }
    lately.set(key, found)
    if (lately.size >= max) {
      earlier = lately
      lately = new Map()
    }
    return found.value
  }
}
