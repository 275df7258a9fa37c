/** Parses a text as JSON; returns undefined, which no JSON means, for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many levels of brackets there may be inside the root. */
const maxDepth = 32

/** Twice as many as the largest link has. Each value is looked at several times. */
const maxValues = 50_000

/** Far more than any object has fields; many things are sent in a list. */
const maxNames = 1_000

/** The limit that a JSON text exceeds, with a sentence about it. */
export type Excess =
  | { readonly of: 'depth'; readonly detail: string }
  | { readonly of: 'size'; readonly detail: string }

const tooDeep: Excess = {
  of: 'depth',
  detail: `The JSON is nested more than ${maxDepth} levels deep.`,
}
const tooMuch: Excess = {
  of: 'size',
  detail: `The body has more than ${maxValues} values, or ${maxNames} names in one object.`,
}

/**
 * Tells from its bytes whether a JSON text is too much to parse in one go. Parsing a megabyte of tiny values
 * and looking at each takes a tenth of a second; this stops at the first value too many. The result means
 * nothing for text that is not JSON.
 */
export function excessOf(json: Uint8Array): Excess | undefined {
  const names: number[] = []
  let values = 1
  let last = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0
    if (isSpace(byte)) continue
    if (byte === quote) at = endOfText(json, at)
    else if (byte === openList || byte === openObject) {
      if (names.push(0) > maxDepth + 1) return tooDeep
      values += 1
    } else if (byte === closeList || byte === closeObject) {
      names.pop()
      if (last === openList || last === openObject) values -= 1
    } else if (byte === comma) values += 1
    else if (byte === colon) {
      const count = (names.pop() ?? 0) + 1
      if (count > maxNames) return tooMuch
      names.push(count)
    }
    last = byte
    // One more is allowed so far: the next byte may close an empty object or list.
    if (values > maxValues + 1) return tooMuch
  }
  return values > maxValues ? tooMuch : undefined
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Where the string that begins at `start` ends: at its closing quote. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}
