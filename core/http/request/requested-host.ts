import { hostName } from '../../lib/net/web-address.ts'
import { isNamed, type RequestHead, rawHeader } from '../../lib/request-head.ts'
import { comesFromProxy, type TrustedProxies } from './client-address.ts'

/**
 * Returns a function that finds the host that a request is for: its `Host`, or the last one in
 * `X-Forwarded-Host` if a trusted proxy sent the request and it is a host. It is as the client wrote it.
 */
export function requestedHost(trusted: TrustedProxies): (req: RequestHead) => string {
  if (trusted.kind === 'none') return sentHost
  const isFromProxy = comesFromProxy(trusted)
  return req => (isFromProxy(req) && forwardedHost(req)) || sentHost(req)
}

/**
 * The same, but where links have a host of their own, `X-Forwarded-Host` opens no other to its clients: a proxy that passes
 * on what they wrote would lead them to the dashboard.
 */
export function requestedHostApart(
  hostOf: (req: RequestHead) => string,
  dashboardHost: string,
  hasLinks: (host: string) => boolean,
): (req: RequestHead) => string {
  const dashboard = hostName(dashboardHost)
  return req => {
    const host = hostOf(req)
    if (hostName(host) !== dashboard) return host
    const sent = sentHost(req)
    return hasLinks(sent) ? sent : host
  }
}

function sentHost(req: RequestHead): string {
  return rawHeader(req, 'host')
}

function forwardedHost({ rawHeaders }: RequestHead): string | undefined {
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (!isNamed(rawHeaders[index], 'x-forwarded-host')) continue
    const last = rawHeaders[index + 1]?.split(',').at(-1)?.trim()
    return last !== undefined && isHostText(last) ? last : undefined
  }
  return undefined
}

/** A name, perhaps with the dot of the root, or an address in brackets, and a port: what every program takes for the same. */
const hostText = /^(?:\[[\da-f.:]{2,45}\]|[\w-]{1,63}(?:\.[\w-]{1,63})*\.?)(?::\d{0,5})?$/i
const maxHostText = 260

/** Whether a client may have meant this as the host of a request. */
export function isHostText(text: string): boolean {
  return text.length <= maxHostText && hostText.test(text)
}
