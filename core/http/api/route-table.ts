import type { Route } from './route.ts'

/** One address, with what can be done there. */
export interface Address {
  readonly methods: ReadonlyMap<string, Route>
  /** Value of the `Allow` header. */
  readonly allow: string
}

/** What a path asks for. */
export interface Found {
  readonly address: Address
  /** By name, percent-decoded; what cannot be decoded is as it was sent. */
  readonly params: Readonly<Record<string, string>>
}

/** The target of a request without its fragment: the path, and the query with its question mark. */
export function splitTarget(target: string): readonly [path: string, search: string] {
  const [, path = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(target) ?? []
  return [path, search]
}

/**
 * Finds the address of a whole path, case and all, with or without a slash at its end. Of several the one with
 * fixed words goes before those with parameters: `/links/lookup` before `/links/:id`.
 */
export function routeTable(
  routes: readonly Route[],
  base: string,
): (path: string) => Found | undefined {
  const paths = [...new Set(routes.map(route => route.path))]
  const addresses = paths.sort(byFixedWords).map(path => [path, addressOf(routes, path)] as const)
  const isFixed = (path: string) => !path.includes('/:')
  const fixed = new Map<string, Found>(
    addresses
      .filter(([path]) => isFixed(path))
      .map(([path, address]) => [base + path, { address, params: {} }]),
  )
  const open = addresses
    .filter(([path]) => !isFixed(path))
    .map(([path, address]) => ({ address, pattern: patternOf(base + path) }))

  return sent => {
    const path = sent.endsWith('/') ? sent.slice(0, -1) : sent
    const found = fixed.get(path)
    if (found) return found
    for (const { address, pattern } of open) {
      const groups = pattern.exec(path)?.groups
      if (groups) return { address, params: decoded(groups) }
    }
    return undefined
  }
}

function addressOf(routes: readonly Route[], path: string): Address {
  const here = routes.filter(route => route.path === path)
  const methods = new Map<string, Route>(here.map(route => [route.method, route]))
  const get = methods.get('GET')
  if (get) methods.set('HEAD', get)
  return { methods, allow: [...methods.keys(), 'OPTIONS'].join(', ') }
}

function byFixedWords(a: string, b: string): number {
  return sortKey(a) < sortKey(b) ? -1 : 1
}

/** A parameter sorts after every word. */
function sortKey(path: string): string {
  return path.replace(/:[^/]+/g, '\uffff')
}

/** Named groups are the parameters. */
function patternOf(path: string): RegExp {
  const parts = path.split('/').map(part => {
    return part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : part.replace(/[^\w-]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}

function decoded(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}
