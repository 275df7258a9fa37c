import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { hearNews } from '../../../core/app/hear-news.ts'
import { usualRules } from '../../../core/links/codes/code-rules.ts'
import { createLinkCache } from '../../../core/links/follow/cache.ts'
import type { Hosts } from '../../../core/links/follow/hosts.ts'
import { ServerAway } from '../../../core/storage/files/out-of-reach.ts'
import { type Listener, noNews } from '../../../core/storage/news.ts'

/** News that a test tells, and what hears them. */
function hearing() {
  const listeners = new Map<string, Listener>()
  const news = { ...noNews, on: (topic: string, it: Listener) => void listeners.set(topic, it) }
  const refresh = vi.fn<Hosts['refresh']>(async () => [])
  const hosts: Hosts = {
    rulesOf: () => usualRules,
    all: () => new Map(),
    refresh,
    refreshOf: async () => undefined,
    failing: () => [],
    contested: () => [],
    learnt: () => 0,
    forget: () => undefined,
    onChange: () => () => undefined,
  }
  const error = vi.fn()
  const log = { info: vi.fn(), warn: vi.fn(), error }
  const cache = createLinkCache(() => true)
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const delivery = { wake: () => undefined, learn: async () => undefined }
  const recorder = () => ({ stored: () => undefined })
  hearNews({ storage: { news }, cache, hosts, delivery, recorder, log, signal: stopping.signal })
  const tell = (topic: string, detail?: string) => listeners.get(topic)?.(detail)
  return { tell, cache, refresh, error }
}

it('hosts that another server changed are listed once for all that was told at a time, and said to be missing once', async () => {
  const { tell, refresh, error } = hearing()
  refresh.mockRejectedValueOnce(new ServerAway())
  for (const topic of ['hosts', 'account', 'hosts']) tell(topic)
  await expect.poll(() => error.mock.calls.length).toBe(1)
  // The hosts themselves ask until they could be listed.
  await delay(1_200)
  expect([refresh.mock.calls.length, error.mock.calls.length]).toEqual([1, 1])
  refresh.mockRejectedValueOnce(new ServerAway())
  tell('hosts')
  await expect.poll(() => error.mock.calls.length).toBe(2)
  expect(refresh).toHaveBeenCalledTimes(2)
})

it('of accounts that changed all links are forgotten in one go, before anything else is answered, and no others', async () => {
  const { tell, cache, refresh } = hearing()
  const forgetOf = vi.spyOn(cache, 'forgetOf')
  const forgotten: number[][] = []
  forgetOf.mockImplementation(ids => void forgotten.push([...ids]))
  for (const id of [7, 8, 7]) tell('account', `${id}`)
  await Promise.resolve()
  expect(forgotten).toEqual([[7, 8]])
  tell('account', '9')
  await Promise.resolve()
  expect(forgotten).toEqual([[7, 8], [9]])
  await expect.poll(() => refresh.mock.calls.length).toBeGreaterThan(0)
})
