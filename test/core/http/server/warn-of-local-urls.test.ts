import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { createLog } from '../../../../core/http/server/log.ts'
import { warnOfLocalUrls } from '../../../../core/http/server/warn-of-local-urls.ts'
import type { RequestHead } from '../../../../core/lib/request-head.ts'

const hostOf = ({ rawHeaders }: RequestHead) => rawHeaders[1] ?? ''

/** What is logged when requests for these hosts come in, and how many of them were answered. */
function toldOf(baseUrl: string, hosts: readonly string[]) {
  const told: string[] = []
  let answered = 0
  const log = createLog('info', { write: line => told.push(JSON.parse(line).message) })
  const warn = warnOfLocalUrls(baseUrl, hostOf, log)
  for (const host of hosts) {
    // A handler is made anew whenever plugins are switched.
    const handle = warn(() => {
      answered += 1
    })
    void handle({ rawHeaders: ['Host', host] } as IncomingMessage, {} as ServerResponse)
  }
  return { told, answered }
}

it('it is logged once that short URLs work on this machine only, at the first request from elsewhere', () => {
  expect(
    toldOf('http://localhost:8080', ['localhost:8080', 'vps.example.org', '203.0.113.9']),
  ).toEqual({
    told: [
      'Short URLs begin with http://localhost:8080 and work on this machine only, but somebody uses it as vps.example.org. ' +
        'Set LINNET_BASE_URL to the address that visitors use',
    ],
    answered: 3,
  })
})

it.each([
  ['http://localhost:8080', '127.0.0.1:8080'],
  ['http://localhost:8080', '[::1]:8080'],
  ['http://localhost:8080', 'linnet.localhost'],
  ['http://localhost:8080', ''],
  ['http://203.0.113.9:8080', 'vps.example.org'],
  ['https://go.example.org', 'localhost'],
])('nothing is logged with short URLs at %s and a request for %j', (baseUrl, host) => {
  expect(toldOf(baseUrl, [host])).toEqual({ told: [], answered: 1 })
})
