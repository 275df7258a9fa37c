/** Texts by English or by their paths; those that depend on a number have a form for each of its categories. */
export type Dictionary = Readonly<Record<string, string | Readonly<Record<string, string>>>>

type Text = string | ((...values: unknown[]) => string)

/**
 * Translates English texts, with functions among them, into the language of a dictionary. What the dictionary lacks stays
 * English. A function is told by what it says about many, with `{}` for each value.
 *
 * @param tag of the language, whose rules choose between forms
 *
 * @example
 * const { words } = spokenBy('it', { '{} links': '{} link' })({ words: (shown: string) => `${shown} links` })
 */
export function spokenBy(tag: string, dictionary: Dictionary): (english: object) => object {
  const rules = new Intl.PluralRules(tag)
  const texts = new Map(Object.entries(dictionary))

  function spokenParts(english: object, path: string): object {
    const parts = Object.entries(english).map(([name, part]) => {
      const at = path === '' ? name : `${path}.${name}`
      return [name, typeof part === 'object' ? spokenParts(part, at) : spoken(part, at)]
    })
    return Object.fromEntries(parts)
  }

  function spoken(text: Text, path: string): Text {
    if (typeof text !== 'string') return (...values) => say(text, path, values)
    const here = texts.get(path) ?? texts.get(text)
    return typeof here === 'string' ? here : text
  }

  function say(text: Exclude<Text, string>, path: string, values: readonly unknown[]): string {
    const real = text(...values)
    const usual = patternOf(text, values)
    const isUsual = put(usual.text, usual.places, values) === real
    const here = texts.get(path) ?? texts.get(usual.text)
    const count = values.find(it => typeof it === 'number')
    if (typeof here === 'object' && count !== undefined && (isUsual || count === 1)) {
      const form = here[rules.select(count)] ?? here.other
      return form === undefined ? real : put(form, usual.places, values)
    }
    if (typeof here === 'string' && isUsual) return put(here, usual.places, values)
    const exact = exactPatternOf(text, values, real)
    const other = texts.get(exact.text)
    return typeof other === 'string' ? put(other, exact.places, values) : real
  }

  return english => spokenParts(english, '')
}

/** What a text says, with `{}` for values, and which value each of them is. */
interface Pattern {
  readonly text: string
  readonly places: readonly number[]
}

/** @param asTheyAre the values that are given to the text as they are: a bit for each */
export function patternOf(
  text: (...values: unknown[]) => string,
  values: readonly unknown[],
  asTheyAre = 0,
): Pattern {
  const isMarked = (place: number) => !((asTheyAre >> place) & 1) && isSaid(values[place])
  const said = text(...values.map((value, place) => (isMarked(place) ? mark(place) : value)))
  const places: number[] = []
  const pattern = said.replace(/\uE000(\d+)\uE001/g, (_, place) => {
    places.push(Number(place))
    return '{}'
  })
  return { text: pattern, places }
}

/** The pattern that gives the real sentence. English has sentences of its own for none and one. */
function exactPatternOf(text: Exclude<Text, string>, values: readonly unknown[], real: string) {
  const all = [...Array(2 ** values.length).keys()].sort((a, b) => bits(a) - bits(b))
  const patterns = all.map(asTheyAre => patternOf(text, values, asTheyAre))
  const isExact = (it: Pattern) => put(it.text, it.places, values) === real
  return patterns.find(isExact) ?? { text: real, places: [] }
}

const bits = (of: number): number => of.toString(2).replaceAll('0', '').length
const isSaid = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '')

/** Written, it can be found again; where it is compared, it is a number of which there are many. */
export function mark(place: number): { toString(): string; valueOf(): number } {
  return { toString: () => `\uE000${place}\uE001`, valueOf: () => 2 }
}

function put(text: string, places: readonly number[], values: readonly unknown[]): string {
  let next = 0
  return text.replace(/\{([1-9]?)\}/g, (_, number) => {
    const place = places[number ? Number(number) - 1 : next]
    next += 1
    return place === undefined ? '' : String(values[place])
  })
}
