import { createLru } from './lru.ts'

/**
 * The same pure function of a text, which remembers what it gave for the texts seen lately: for what is
 * costly to work out and comes again and again, as the headers of browsers.
 */
export function remember<T>(of: (text: string) => T, max = 2_000): (text: string) => T {
  const known = createLru<string, { readonly value: T }>(max)
  return text => {
    const remembered = known.get(text)
    if (remembered) return remembered.value
    const value = of(text)
    known.set(text, { value })
    return value
  }
}
