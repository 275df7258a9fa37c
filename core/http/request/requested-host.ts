import type { RequestHead } from '../../lib/request-head.ts'
import { comesFromProxy, type TrustedProxies } from './client-address.ts'

/**
 * How to find the host that a request is for: its `Host`, or what a trusted proxy right in front of us
 * says last in `X-Forwarded-Host`. It is as the client wrote it; anything at all may stand there.
 */
export function requestedHost(trusted: TrustedProxies): (req: RequestHead) => string {
  if (trusted.kind === 'none') return sentHost
  const isFromProxy = comesFromProxy(trusted)
  return req => (isFromProxy(req) && forwardedHost(req)) || sentHost(req)
}

/** It mostly comes first. */
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

/** Headers are read where they lie: as `req.headers` all of them would be taken apart. */
function isNamed(sent: string | undefined, name: string): boolean {
  return sent?.length === name.length && sent.toLowerCase() === name
}
