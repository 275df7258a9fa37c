/**
 * The JSON in a text; undefined for what is none, has more values than `mostValues` or is nested deeper than anything we read: few
 * bytes of it would take all memory. Some services put control characters into strings as they are, which no JSON may have.
 */
export function parseJson(text: string, mostValues: number): unknown {
  if (!isModest(text, mostValues)) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return parsed(text) ?? parsed(text.replace(/[\u0000-\u001f]/g, ' '))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const mostNested = 100

function isModest(text: string, mostValues: number): boolean {
  let depth = 0
  let values = 0
  let inText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (inText) {
      if (sign === '\\') at += 1
      else if (sign === '"') inText = false
    } else if (sign === '"') inText = true
    else if (sign === ']' || sign === '}') depth -= 1
    else if (sign === ',' || sign === '[' || sign === '{') {
      values += 1
      if (sign !== ',') depth += 1
      if (values > mostValues || depth > mostNested) return false
    }
  }
  return true
}
