import type { JsonSchema } from '../../../lib/schema/json-schema.ts'
import type { Route } from '../route/route.ts'
import { describeSchema, isSchema } from './openapi-schema.ts'

/** What answers show, by name: `GET /moods/:id` shows a `Mood`. */
export type Things = ReadonlyMap<string, JsonSchema>

/**
 * Name the things that can be read, so that clients have a type for each, and the document has each once. A schema with an
 * id of its own keeps that. Of several that would have the same name, that of `GET /things/:id` gets it.
 */
export function nameThings(routes: readonly Route[]): Things {
  const described = routes.flatMap(({ method, path, answer }) =>
    method === 'GET' && answer ? [{ path, ...describeSchema(answer, 'answer', 'snake') }] : [],
  )
  const taken = new Set(['', ...described.flatMap(({ named }) => Object.keys(named))])
  const things = new Map<string, JsonSchema>()
  const ofOne = described.filter(({ path }) => path.includes(':'))
  for (const { path, schema } of [...ofOne, ...described]) {
    const name = thingAt(path)
    const shown = shownIn(schema)
    if (!shown.properties || taken.has(name)) continue
    things.set(name, shown)
    taken.add(name)
  }
  return things
}

/** The answer with a reference to the thing it shows. */
export function referring(answer: JsonSchema, path: string, things: Things): JsonSchema {
  const name = thingAt(path)
  const shown = shownIn(answer)
  if (!shown.properties || JSON.stringify(shown) !== JSON.stringify(things.get(name))) return answer
  const data = asSchema(answer.properties?.data)
  const thing = { $ref: `#/components/schemas/${name}` }
  const shownAs = data.type === 'array' ? { ...data, items: thing } : thing
  return { ...answer, properties: { ...answer.properties, data: shownAs } }
}

/** The thing that the path names, in words: `/saved-searches/:id` is about a `saved search`. */
export function wordsAt(path: string): string {
  const [, last = ''] = /([^/:]+)(?:\/:[^/]+)?$/.exec(path) ?? []
  return singular(last.replace(/\.\w+$/, '').replaceAll('-', ' '))
}

/** `/saved-searches/:id` shows a `SavedSearch`; a path that goes on behind a parameter names nothing. */
function thingAt(path: string): string {
  if (/:[^/]+\/./.test(path)) return ''
  return wordsAt(path).replace(/(?:^|[^A-Za-z\d]+)(.)/g, (_, letter: string) =>
    letter.toUpperCase(),
  )
}

function shownIn({ properties }: JsonSchema): JsonSchema {
  const data = asSchema(properties?.data)
  return data.type === 'array' ? asSchema(data.items) : data
}

function asSchema(value: unknown): JsonSchema {
  return isSchema(value) ? value : {}
}

function singular(word: string): string {
  if (/(ss|us|is)$/.test(word)) return word
  return word.replace(/ies$/, 'y').replace(/(?<=ch|sh|x|ss)es$|s$/, '')
}
