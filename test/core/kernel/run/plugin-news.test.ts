import { describe, expect, it, vi } from 'vitest'
import { createContainment } from '../../../../core/kernel/contain/contain.ts'
import { newsOfPlugin } from '../../../../core/kernel/run/plugin-news.ts'
import { type Listener, type News, noNews } from '../../../../core/storage/news.ts'

/** What a listener does wrong, and what the log then says of it. */
const faults: Readonly<Record<string, readonly [() => unknown, string | undefined]>> = {
  throws: [
    () => {
      throw new Error('boom')
    },
    'boom',
  ],
  'throws null': [
    () => {
      throw null
    },
    'it threw null, which is no error',
  ],
  rejects: [() => Promise.reject(new Error('boom')), 'boom'],
  hangs: [() => new Promise(() => undefined), 'no answer within 20 ms'],
  'gives something': [() => 'low', undefined],
}

/** The news of a server that hears itself, as one on PostgreSQL does. */
function ownNews(): News {
  const listeners: Listener[] = []
  return {
    ...noNews,
    tell: async (_, __, detail) => {
      for (const listener of listeners) listener(detail)
    },
    on: (_, listener) => void listeners.push(listener),
  }
}

describe('a listener to news', () => {
  it.each(Object.entries(faults))(
    'that %s is contained and named, and it and others hear the next',
    async (_, [does, why]) => {
      const lines: string[] = []
      const note = (line: string) => void lines.push(line)
      const contain = createContainment({ info: note, warn: note, error: note }, { patienceMs: 20 })
      const { signal } = new AbortController()
      const news = newsOfPlugin('a.faulty', { news: ownNews(), contain, signal })
      const heard: string[] = []
      news.on(what => {
        heard.push(`first ${what}`)
        return what === 'low' ? does() : undefined
      })
      news.on(what => void heard.push(`second ${what}`))
      await news.tell({} as never, 'low')
      if (why !== undefined) {
        await vi.waitUntil(() => lines.length > 0)
        expect(lines).toEqual([`a.faulty on.news failed: ${why}`])
        expect(contain.health()).toMatchObject({ 'a.faulty on.news': { failures: 1, last: why } })
      }
      await news.tell({} as never, 'high')
      expect(heard.sort()).toEqual(['first high', 'first low', 'second high', 'second low'])
      expect(lines).toHaveLength(why === undefined ? 0 : 1)
    },
  )
})
