/**
 * The same pure function of a text, which remembers what it gave for the `max` texts asked for last, and
 * at most for as many more: for what is costly to work out and comes again and again, as the headers of
 * browsers. What is asked for again is only looked up: to keep an order of all of them would take longer.
 */
export function remember<T>(of: (text: string) => T, max = 2_000): (text: string) => T {
  let earlier = new Map<string, { readonly value: T }>()
  let lately = new Map<string, { readonly value: T }>()
  return text => {
    const known = lately.get(text)
    if (known) return known.value
    const found = earlier.get(text) ?? { value: of(text) }
    lately.set(text, found)
    if (lately.size >= max) {
      earlier = lately
      lately = new Map()
    }
    return found.value
  }
}
