import { addressOf, type Filled, hasBody, headersOf } from './filled.ts'
import type { Operation } from './operations.ts'

/** The response. */
export interface Received {
  readonly status: string
  readonly tookMs: number
  readonly body: string
}

/** Sends the request as a program would, without the session of the dashboard. */
export async function send(operation: Operation, filled: Filled): Promise<Received> {
  const began = performance.now()
  const response = await fetch(addressOf(operation, filled, window.location.origin), {
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

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
