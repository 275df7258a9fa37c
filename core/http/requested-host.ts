import type { IncomingMessage } from 'node:http'
import { comesFromProxy, type TrustedProxies } from './client-address.ts'

/**
 * How to find the host that a request is for: its `Host`, or what a trusted proxy right in front of us
 * says last in `X-Forwarded-Host`. It is as the client wrote it; anything at all may stand there.
 */
export function requestedHost(trusted: TrustedProxies): (req: IncomingMessage) => string {
  if (trusted.kind === 'none') return sentHost
  const isFromProxy = comesFromProxy(trusted)
  return req => (isFromProxy(req) && forwardedHost(req)) || sentHost(req)
}

/** Read where it lies, and it mostly comes first: as `req.headers` all of them would be taken apart. */
function sentHost({ rawHeaders }: IncomingMessage): string {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') return rawHeaders[index + 1] ?? ''
  }
  return ''
}

function forwardedHost({ headers }: IncomingMessage): string | undefined {
  return headers['x-forwarded-host']?.toString().split(',').at(-1)?.trim()
}
