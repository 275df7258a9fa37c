import { Resolver } from 'node:dns/promises'
import { expect, it } from 'vitest'
import { createResolveTxt } from '../../../../core/lib/net/resolve-txt.ts'
import { startNameServer } from './name-server.ts'

const stop = new AbortController()

/** Ask a name server on this machine, which answers a question with these records or this code. */
async function askOne(answer: readonly (readonly string[])[] | number) {
  const records =
    typeof answer === 'number'
      ? answer
      : answer.map(parts =>
          Buffer.concat(parts.map(part => Buffer.from([part.length, ...Buffer.from(part)]))),
        )
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  resolver.setServers([await startNameServer(() => records)])
  return createResolveTxt(stop.signal, resolver)('_linnet.links.example.com')
}

it('looking up TXT records gives every record of a name, whole, however many parts it came in', async () => {
  expect(await askOne([['v=spf1 -all'], ['linnet-verification=', 'abc']])).toEqual([
    'v=spf1 -all',
    'linnet-verification=abc',
  ])
})

it('looking up TXT records finds nothing where there is no such name, and where it has no such record', async () => {
  expect(await askOne(3)).toEqual([])
  expect(await askOne([])).toEqual([])
})

it('looking up TXT records fails when the name server does', async () => {
  await expect(askOne(2)).rejects.toThrow('ESERVFAIL')
})
