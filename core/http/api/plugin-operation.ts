import type { Method } from '../../plugin.ts'

const verbs = { GET: 'show', POST: 'create', PATCH: 'update', DELETE: 'destroy' } as const

/** `GET /api-tokens/:id` is `apiTokens.show`, `GET /api-tokens` is `apiTokens.list`. */
export function operationName(method: Method, path: string): string {
  const segments = path.split('/').filter(Boolean)
  const named = segments.filter(segment => !segment.startsWith(':'))
  const onOne = segments.some(segment => segment.startsWith(':'))
  const verb = method === 'GET' && !onOne ? 'list' : verbs[method]
  return `${named.map(camel).join('.')}.${verb}`
}

/** `/api-tokens/:id` belongs to `Api Tokens`. */
export function groupOf(path: string): string {
  const [first = ''] = path.split('/').filter(Boolean)
  return first
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

function camel(segment: string): string {
  return segment.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
