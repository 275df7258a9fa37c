/** Finds the translation of a sentence; undefined if there is none. */
export type Say = (sentence: string) => string | undefined

/** What begins a value that is put into a sentence. */
const place = /\{([1-9]?)\}/g

/**
 * Translates sentences. `{}` in a sentence stands for any text, which is put in where its translation has `{}`, or
 * `{1}` for the first and `{2}` for the second; if that text has a translation, in translation. Takes time that grows
 * with the sentence, whatever it contains.
 *
 * @example
 * sayWith({ '{} of {}': '{2}中{1}' })('3 of 5') // 5中3
 */
export function sayWith(texts: Readonly<Record<string, string>>): Say {
  const exact = new Map(Object.entries(texts))
  const withValues = [...exact].flatMap(([sentence, here]) => {
    const parts = sentence.split('{}')
    return parts.length > 1 ? [{ parts, here }] : []
  })
  function say(sentence: string, inside: Say): string | undefined {
    const known = exact.get(sentence)
    if (known !== undefined) return known
    for (const { parts, here } of withValues) {
      const values = valuesIn(sentence, parts)
      if (values)
        return fill(
          here,
          values.map(it => inside(it) ?? it),
        )
    }
    return undefined
  }

  return sentence => say(sentence, value => say(value, () => undefined))
}

/** The places in a translation, counted from 1. */
export function placesIn(text: string): readonly number[] {
  return [...text.matchAll(place)].map(([, number], index) => Number(number) || index + 1)
}

/** What a sentence has between these parts; undefined if it does not consist of them. */
function valuesIn(sentence: string, [first = '', ...others]: readonly string[]) {
  if (!sentence.startsWith(first)) return undefined
  const values: string[] = []
  let at = first.length
  for (const [index, part] of others.entries()) {
    const isLast = index === others.length - 1
    const end = isLast ? beginOfEnd(sentence, part) : sentence.indexOf(part, at + 1)
    if (end <= at) return undefined
    values.push(sentence.slice(at, end))
    at = end + part.length
  }
  return values
}

function beginOfEnd(sentence: string, end: string): number {
  return sentence.endsWith(end) ? sentence.length - end.length : -1
}

function fill(text: string, values: readonly string[]): string {
  let next = 0
  return text.replace(place, (_, number) => {
    const value = values[number ? Number(number) - 1 : next]
    next += 1
    return value ?? ''
  })
}
