import type { Route } from './route.ts'

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
