import { hostName, isLoopback } from '../../lib/net/web-address.ts'
import type { RequestHead } from '../../lib/request-head.ts'
import type { Log } from '../../plugin.ts'
import type { Handler } from '../request/split-paths.ts'

/**
 * Short URLs that begin with localhost work on the server only. The host is what a client sent, so it is no advice. Returns a function that lets a handler, such as that of
 * the API, log this at the first request for a host that others can reach. With any other base URL, nothing is added.
 */
export function warnOfLocalUrls(
  baseUrl: string,
  hostOf: (head: RequestHead) => string,
  log: Log,
): (handle: Handler) => Handler {
  if (!isLoopback(new URL(baseUrl).hostname)) return handle => handle
  let isTold = false
  return handle => (req, res) => {
    if (!isTold) {
      const host = hostOf(req)
      // HTTP/1.0 needs none.
      if (host !== '' && !isLoopback(hostName(host))) {
        isTold = true
        log.warn(
          `Short URLs begin with ${baseUrl} and work on this machine only, but somebody uses it as ${host}. ` +
            'Set LINNET_BASE_URL to the address that visitors use',
        )
      }
    }
    return handle(req, res)
  }
}
