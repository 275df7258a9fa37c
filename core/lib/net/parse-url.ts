/**
 * Parse a URL by the WHATWG URL Standard. Undefined if it is not valid. Do not use `URL.canParse`: before Node 24 it
 * refuses `https://bücher.example` once it has been called often enough to be optimized.
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
