/**
 * Requests may name every field in snake_case or camelCase; inside, names are camelCase. What the
 * client wrote is looked up again when an error must name the field.
 */

/** How the contract writes the names of a request. */
export type Casing = 'snake' | 'camel'

/** A place in a request: names in camelCase and indexes. */
export type Path = readonly PropertyKey[]

/** Two names of one request that mean the same field, as sent. */
export interface SentTwice {
  readonly field: string
  readonly twin: string
}

const snakeCase = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/

/** `original_url` -> `originalUrl`; names that are not snake_case, such as `__proto__`, stay as they are. */
export function toCamel(name: string): string {
  if (!name.includes('_') || !snakeCase.test(name)) return name
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** `originalUrl` -> `original_url`. */
export function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** A request with its names in camelCase, and the names that an error must report. */
export interface Named {
  /** The same JSON with every name in camelCase; each is an own property, also `__proto__`. */
  readonly value: unknown
  /** Fields that were sent twice: nobody can tell which one was meant. */
  readonly twice: readonly SentTwice[]
  /** Fields that are called `__proto__`, as sent. */
  readonly unsafe: readonly string[]
}

/** Read all names of a request. */
export function readNames(sent: unknown): Named {
  const twice: SentTwice[] = []
  const unsafe: string[] = []

  function named(value: unknown, at: string): unknown {
    if (!isObject(value)) return value
    if (Array.isArray(value)) {
      return value.map((item, index) => (isObject(item) ? named(item, `${at}[${index}]`) : item))
    }
    const names = new Map<string, string>()
    const fields = Object.entries(value).map(([name, inside]) => {
      const meant = toCamel(name)
      const field = join(at, name)
      const twin = names.get(meant)
      names.set(meant, name)
      if (twin !== undefined) twice.push({ field, twin: join(at, twin) })
      if (name === '__proto__') unsafe.push(field)
      return [meant, named(inside, field)]
    })
    return Object.fromEntries(fields)
  }

  return { value: named(sent, ''), twice, unsafe }
}

/** The value at a path; undefined when there is none. */
export function valueAt(sent: unknown, path: Path): unknown {
  return path.reduce<unknown>((here, step) => {
    const key = keyAsSent(here, step)
    return isObject(here) && key !== undefined ? here[key] : undefined
  }, sent)
}

/** A path as people read it, `rules[2].original_url`: names as sent, or as documented when absent. */
export function nameAsSent(sent: unknown, path: Path, documented: Casing): string {
  return path.reduce<string>((name, step, index) => {
    if (typeof step === 'number') return `${name}[${step}]`
    const key = keyAsSent(valueAt(sent, path.slice(0, index)), step)
    return join(
      name,
      key?.toString() ?? (documented === 'snake' ? toSnake(String(step)) : String(step)),
    )
  }, '')
}

/** The path that a name stands for: `rules[2].value` -> `['rules', 2, 'value']`. */
export function pathOf(name: string): Path {
  const steps = name.match(/[^.[\]]+/g) ?? []
  return steps.map(step => (/^\d+$/.test(step) ? Number(step) : toCamel(step)))
}

function keyAsSent(here: unknown, step: PropertyKey): PropertyKey | undefined {
  if (!isObject(here)) return undefined
  if (Array.isArray(here)) return typeof step === 'number' && step in here ? step : undefined
  const names = namesIn.get(here) ?? namesOf(here)
  namesIn.set(here, names)
  return names.get(String(step))
}

/** The names of each object as sent, by their names in camelCase: read once, however many errors name a field. */
const namesIn = new WeakMap<object, ReadonlyMap<string, string>>()

/** If two names mean the same field, the first counts. */
function namesOf(here: object): ReadonlyMap<string, string> {
  const names = Object.keys(here).reverse()
  return new Map(names.map(name => [toCamel(name), name]))
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}
