import { expect, it, onTestFinished, vi } from 'vitest'
import { hearNews } from '../../../core/app/hear-news.ts'
import { usualRules } from '../../../core/links/codes/code-rules.ts'
import { createLinkCache } from '../../../core/links/follow/cache.ts'
import type { Hosts } from '../../../core/links/follow/hosts.ts'
import { ServerAway } from '../../../core/storage/files/out-of-reach.ts'
import { type Listener, noNews } from '../../../core/storage/news.ts'

it('hosts that another server changed are read until they could be read, and said to be missing once', async () => {
  const listeners = new Map<string, Listener>()
  const news = { ...noNews, on: (topic: string, it: Listener) => void listeners.set(topic, it) }
  const refresh = vi.fn<Hosts['refresh']>()
  refresh.mockRejectedValueOnce(new ServerAway()).mockRejectedValueOnce(new ServerAway())
  const hosts: Hosts = {
    rulesOf: () => usualRules,
    all: () => new Map(),
    refresh,
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

  listeners.get('hosts')?.()
  await expect.poll(() => refresh.mock.results.length).toBe(3)
  expect(error).toHaveBeenCalledTimes(1)
  // That was the end of it: the next failure is said anew, as the first of its own.
  refresh.mockRejectedValueOnce(new ServerAway())
  listeners.get('hosts')?.()
  await expect.poll(() => error.mock.calls.length).toBe(2)
  expect(refresh).toHaveBeenCalledTimes(4)
})
