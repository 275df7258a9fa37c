import type { IncomingMessage } from 'node:http'
import {
  type ClientAddress,
  clientAddress,
  comesFromProxy,
  findClient,
  type TrustedProxies,
} from '../http/request/client-address.ts'
import { requestedHost } from '../http/request/requested-host.ts'
import { withoutMapping } from '../lib/net/ip-address.ts'
import { type Finding, fine, warning } from './finding.ts'

/** How a request reached Linnet. */
export interface CameIn {
  /** The address at the other end of the socket. */
  readonly peer: string
  /** The whole `X-Forwarded-For` header; empty if there is none. */
  readonly forwardedFor: string
  readonly host: string
  readonly isFromProxy: boolean
  /** The address of the client, as Linnet understands it. */
  readonly client: string
}

/** Finds the addresses of clients, and remembers how the latest request came in, but none before it. */
export interface Clients {
  readonly addressOf: ClientAddress
  latest(): CameIn | undefined
}

export function rememberLatest(trusted: TrustedProxies): Clients {
  const addressOf = clientAddress(trusted)
  const hostOf = requestedHost(trusted)
  const isFromProxy = comesFromProxy(trusted)
  let latest: IncomingMessage | undefined
  return {
    addressOf(req) {
      latest = req
      return addressOf(req)
    },
    latest: () =>
      latest && {
        peer: withoutMapping(latest.socket.remoteAddress ?? ''),
        forwardedFor: latest.headers['x-forwarded-for']?.toString() ?? '',
        host: hostOf(latest),
        isFromProxy: isFromProxy(latest),
        client: addressOf(latest),
      },
  }
}

/** Checks, by the request that asks, whether a proxy in front of Linnet names the visitor and is trusted. */
export function examineProxies(
  seen: CameIn,
  trusted: TrustedProxies,
  { baseUrl, dashboardUrl }: { readonly baseUrl: string; readonly dashboardUrl: string },
): Finding {
  const { peer, forwardedFor, isFromProxy, client, host } = seen
  const came = `This request came from ${peer}, with X-Forwarded-For: ${forwardedFor || 'none'}.`
  if (forwardedFor !== '' && !isFromProxy) {
    return warning(
      'proxies',
      `${came} That header is not trusted, so all visitors seem to come from ${peer}.`,
      `If ${peer} is your proxy, set LINNET_TRUSTED_PROXIES=${peer}, or its network.`,
    )
  }
  if (forwardedFor === '' && trusted.kind !== 'none') {
    return warning(
      'proxies',
      `${came} But LINNET_TRUSTED_PROXIES says that there is a proxy.`,
      'Let the proxy send X-Forwarded-For. If this request bypassed the proxy, send it through the proxy.',
    )
  }
  if (trusted.kind === 'hops' && forwardedFor.split(',').length < trusted.count) {
    return warning(
      'proxies',
      `${came} It names fewer addresses than LINNET_TRUSTED_PROXIES, which is ${trusted.count}, so visitors can fake their IP address.`,
      'Set LINNET_TRUSTED_PROXIES to the number of proxies that each request passes, or better to their networks.',
    )
  }
  if (namesMore(seen, trusted)) {
    return warning(
      'proxies',
      `${came} Linnet takes it as a request from ${client}, since LINNET_TRUSTED_PROXIES names no proxy before that.`,
      `If ${client} is a proxy of yours too, let LINNET_TRUSTED_PROXIES count or name it, or all its visitors count as one.`,
    )
  }
  if (dashboardUrl !== baseUrl && host !== new URL(dashboardUrl).host) {
    return warning(
      'proxies',
      `${came} It was for the host ${host}, but the dashboard is at ${dashboardUrl}.`,
      'Set LINNET_DASHBOARD_URL to the address that you use, or let the proxy pass on the Host header unchanged.',
    )
  }
  if (dashboardUrl === baseUrl && host !== new URL(baseUrl).host) {
    return warning(
      'proxies',
      `${came} It was for the host ${host}, but short URLs begin with ${baseUrl}.`,
      'Set LINNET_BASE_URL to the address that visitors use, or let the proxy pass on the Host header unchanged.',
    )
  }
  // Linnet itself has no certificate.
  if (forwardedFor === '' && baseUrl.startsWith('https:')) {
    return warning(
      'proxies',
      `${came} But short URLs begin with ${baseUrl}, so a proxy must be in front, and all its visitors seem to come from ${peer}.`,
      'Let the proxy send X-Forwarded-For, and set LINNET_TRUSTED_PROXIES to its network. If this request bypassed the proxy, send it through the proxy.',
    )
  }
  return fine('proxies', `${came} Linnet takes it as a request from ${client}, for ${host}.`)
}

/** Whether the header names addresses before that of the client. Browsers and the doctor send no such header. */
function namesMore({ forwardedFor, client }: CameIn, trusted: TrustedProxies): boolean {
  if (trusted.kind === 'hops') return forwardedFor.split(',').length > trusted.count
  return forwardedFor !== '' && client !== behindAll(undefined, forwardedFor)
}

const behindAll = findClient({ kind: 'hops', count: Number.POSITIVE_INFINITY })
