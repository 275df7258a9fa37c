import type { Operation } from './operations.ts'

/** The values to try an operation with. */
export interface Filled {
  /** By location and name, such as `query page`. Empty values are not sent. */
  readonly parameters: Readonly<Record<string, string>>
  /** JSON; empty means no body. */
  readonly body: string
  readonly token: string
}

type Parameter = Operation['parameters'][number]

/** The key of a parameter's value in `Filled`. */
export function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`
}

/** What is filled in for a parameter; empty: nothing. */
export function filledIn(parameter: Parameter, filled: Filled): string {
  return filled.parameters[keyOf(parameter)] ?? ''
}

/** The address of the request at this server, with the filled-in values. */
export function addressOf({ path, parameters }: Operation, filled: Filled, origin: string): string {
  const inPath = parameters.filter(it => it.in === 'path')
  const asked = parameters.filter(it => it.in === 'query' && filledIn(it, filled) !== '')
  const query = new URLSearchParams(
    asked.map((it): [string, string] => [it.name, filledIn(it, filled)]),
  )
  const there = inPath.reduce(
    (address, it) => address.replace(`{${it.name}}`, encodeURIComponent(filledIn(it, filled))),
    path,
  )
  return `${origin}${there}${asked.length > 0 ? `?${query}` : ''}`
}

export function headersOf(operation: Operation, filled: Filled): [string, string][] {
  const inHeaders = operation.parameters.filter(it => it.in === 'header')
  const headers: [string, string][] = [
    ['Authorization', filled.token && `Bearer ${filled.token}`],
    ['Content-Type', hasBody(operation, filled) ? 'application/json' : ''],
    ...inHeaders.map((it): [string, string] => [it.name, filledIn(it, filled)]),
  ]
  return headers.filter(([, value]) => value !== '')
}

export function hasBody({ body }: Operation, filled: Filled): boolean {
  return body !== undefined && filled.body.trim() !== ''
}
