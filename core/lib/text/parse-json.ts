/** Parses a text as JSON; returns undefined, which no JSON means, for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
