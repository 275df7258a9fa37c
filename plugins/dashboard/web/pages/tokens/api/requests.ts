import type { Operation } from './operations.ts'

/** The values to try an operation with. */
export interface Filled {
  /** By location and name, such as `query page`. Empty values are not sent. */
  readonly parameters: Readonly<Record<string, string>>
  /** JSON; empty means no body. */
  readonly body: string
  readonly token: string
}

/** The response. */
export interface Received {
  readonly status: string
  readonly tookMs: number
  readonly body: string
}

/** The key of a parameter's value in `Filled`. */
export function keyOf({ in: place, name }: Operation['parameters'][number]): string {
  return `${place} ${name}`
}

/** The address of the request, with the filled-in values. */
export function addressOf({ path, parameters }: Operation, filled: Filled): string {
  const valueFor = (it: Operation['parameters'][number]) => filled.parameters[keyOf(it)] ?? ''
  const inPath = parameters.filter(it => it.in === 'path')
  const asked = parameters.filter(it => it.in === 'query' && valueFor(it) !== '')
  const query = new URLSearchParams(asked.map(it => [it.name, valueFor(it)]))
  const there = inPath.reduce(
    (address, it) => address.replace(`{${it.name}}`, encodeURIComponent(valueFor(it))),
    path,
  )
  return `${window.location.origin}${there}${asked.length > 0 ? `?${query}` : ''}`
}

/** The same request as a command for a terminal. */
export function commandOf(operation: Operation, filled: Filled): string {
  const method = operation.method === 'GET' ? '' : ` -X ${operation.method}`
  return [
    `curl${method} ${quoted(addressOf(operation, filled))}`,
    ...headersOf(operation, filled).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasBody(operation, filled) ? [`-d ${quoted(filled.body)}`] : []),
  ].join(' \\\n  ')
}

/** Sends the request as a program would, without the session of the dashboard. */
export async function send(operation: Operation, filled: Filled): Promise<Received> {
  const began = performance.now()
  const response = await fetch(addressOf(operation, filled), {
    method: operation.method,
    headers: headersOf(operation, filled),
    credentials: 'omit',
    cache: 'no-store',
    ...(hasBody(operation, filled) && { body: filled.body }),
  })
  const text = await response.text()
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    tookMs: performance.now() - began,
    body: pretty(text),
  }
}

function headersOf(operation: Operation, filled: Filled): [string, string][] {
  const { parameters } = operation
  const inHeaders = parameters.filter(it => it.in === 'header')
  const headers: [string, string][] = [
    ['Authorization', filled.token && `Bearer ${filled.token}`],
    ['Content-Type', hasBody(operation, filled) ? 'application/json' : ''],
    ...inHeaders.map((it): [string, string] => [it.name, filled.parameters[keyOf(it)] ?? '']),
  ]
  return headers.filter(([, value]) => value !== '')
}

function hasBody({ body }: Operation, filled: Filled): boolean {
  return body !== undefined && filled.body.trim() !== ''
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
