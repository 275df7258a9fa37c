import { remember } from '../../../lib/memory/remember.ts'
import type { Route } from './route.ts'

/** A path, with the methods that it allows. */
export interface Address {
  /** Matches the whole path, case-sensitively; named groups are its parameters. */
  readonly pattern: RegExp
  readonly methods: ReadonlyMap<string, Route>
  /** Value of the `Allow` header. */
  readonly allow: string
}

/** The addresses of routes below `base`, those with fixed words before those with parameters. */
export function routeTable(routes: readonly Route[], base: string): readonly Address[] {
  const byPath = Map.groupBy(routes, route => route.path)
  return byFixedWords([...byPath]).map(([path, here]) => {
    const get = here.find(({ method }) => method === 'GET')
    const changes = ({ method }: Route) => method === 'PATCH' || method === 'PUT'
    const methods = new Map<string, Route>(
      here.map(route => [route.method, changes(route) ? { ...route, reader: get } : route]),
    )
    if (get) methods.set('HEAD', get)
    return {
      pattern: patternOf(base + path),
      methods,
      allow: [...methods.keys(), 'OPTIONS'].join(', '),
    }
  })
}

/** `/links/lookup` before `/links/:id`: a parameter sorts after every word. */
function byFixedWords<T>(entries: readonly (readonly [path: string, T])[]) {
  return entries
    .map(entry => ({ entry, key: entry[0].replace(/:[^/]+/g, '\uffff') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry)
}

/** A pattern of our own, because the router would also match `/API/V1`. */
const patternOf = remember((path: string): RegExp => {
  const parts = path.split('/').map(part => {
    return part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : part.replace(/[^\w-]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}/?$`)
})

/** The parameters of a path that belongs to an address. What cannot be decoded stays as it is. */
export function paramsIn({ pattern }: Address, path: string): Readonly<Record<string, string>> {
  const groups = Object.entries(pattern.exec(path)?.groups ?? {})
  return Object.fromEntries(groups.map(([name, value]) => [name, decoded(value)]))
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/**
 * The same routes, where each of a plugin has a name of its own: one whose name is taken, since names leave parameters out, gets
 * the first free one with a number, such as `days.show2`.
 */
export function nameApart(routes: readonly Route[]): readonly Route[] {
  const taken = new Set(routes.filter(({ blame }) => !blame).map(({ name }) => name))
  return routes.map(route => {
    if (!route.blame) return route
    let name = route.name
    for (let number = 2; taken.has(name); number += 1) name = `${route.name}${number}`
    taken.add(name)
    return { ...route, name }
  })
}

/** Throws a sentence for each mistake: no route is served that lacks a scope or hides another one. */
export function checkRoutes(routes: readonly Route[]): void {
  const mistakes = [
    ...routes.flatMap(mistakesOf),
    ...repeated(routes, addressOf).map(
      route => `${addressOf(route)} exists twice. Remove one of the two.`,
    ),
    ...repeated(routes, route => route.name).map(
      route => `${addressOf(route)}: the name "${route.name}" is taken. Give it another.`,
    ),
  ]
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
}

function mistakesOf(route: Route): readonly string[] {
  const address = addressOf(route)
  return [
    ...(route.scope ? [] : [`${address} declares no scope. Add one, or 'anyone'.`]),
    ...(route.path.startsWith('/') ? [] : [`${address}: begin the path with "/".`]),
  ]
}

/** Parameters count, not their names: `/links/:id` and `/links/:link` are one address. */
function addressOf({ method, path }: Route): string {
  return `${method} ${path.replace(/:[^/]+/g, ':id')}`
}

function repeated(routes: readonly Route[], keyOf: (route: Route) => string): readonly Route[] {
  const keys = routes.map(keyOf)
  return routes.filter((_, index) => keys.indexOf(keys[index] ?? '') < index)
}
