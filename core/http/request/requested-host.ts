import type { RequestHead } from '../../lib/request-head.ts'
import { comesFromProxy, type TrustedProxies } from './client-address.ts'

/**
 * Returns a function that finds the host that a request is for: its `Host`, or the last one in
 * `X-Forwarded-Host` if a trusted proxy sent the request. It is as the client wrote it, and may be any text.
 */
export function requestedHost(trusted: TrustedProxies): (req: RequestHead) => string {
  if (trusted.kind === 'none') return sentHost
  const isFromProxy = comesFromProxy(trusted)
  return req => (isFromProxy(req) && forwardedHost(req)) || sentHost(req)
}

/** `Host` mostly comes first. */
function sentHost({ rawHeaders }: RequestHead): string {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (isNamed(rawHeaders[index], 'host')) return rawHeaders[index + 1] ?? ''
  }
  return ''
}

function forwardedHost({ rawHeaders }: RequestHead): string | undefined {
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (!isNamed(rawHeaders[index], 'x-forwarded-host')) continue
    return rawHeaders[index + 1]?.split(',').at(-1)?.trim()
  }
  return undefined
}

/** Raw headers are read, because `req.headers` would parse all of them. */
function isNamed(sent: string | undefined, name: string): boolean {
  return sent?.length === name.length && sent.toLowerCase() === name
}
