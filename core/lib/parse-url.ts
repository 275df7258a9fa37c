/**
 * An address as the WHATWG URL Standard parses it; undefined for what is none. Node's `URL.canParse` is
 * not to be asked: before 24 it refuses `https://bücher.example` once it is called often enough to be
 * optimized.
 *
 * @example
 * parseUrl('nowhere') // undefined
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
