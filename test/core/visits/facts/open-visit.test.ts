import { describe, expect, it } from 'vitest'
import { cutForCounting, openUnknown, openVisit } from '../../../../core/visits/facts/open-visit.ts'
import { placeUnknown } from '../../../../core/visits/facts/place.ts'
import { browser, noon, visitOf } from '../fixtures.ts'

const link = {
  id: 1,
  view: {
    id: 'lnk_a',
    rowId: 1,
    accountId: 1,
    domain: '',
    shortCode: 'abc',
    originalUrl: 'https://example.com/',
  },
  owner: { accountId: 1, collect: [], maxTrackedVisits: 0 },
}

/** Everybody is in Iceland. */
const iceland = { country: 'IS', city: undefined }
const placeOf = { country: () => iceland.country, city: () => iceland.city }

describe('a visit', () => {
  it('shows plugins what was handed over, and what they were answered', () => {
    const raw = visitOf(link, { query: 'a=1&b=%20', referer: 'https://example.net/' })
    const visit = openVisit(raw, placeOf, { password: 'secret' })
    expect(visit).toMatchObject({
      link: link.view,
      at: new Date(noon),
      ip: '203.0.113.7',
      visitor: '203.0.113.7',
      userAgent: browser,
      referer: 'https://example.net/',
      language: 'en',
      answers: { password: 'secret' },
      agent: { browser: 'Firefox', bot: false },
      place: iceland,
    })
    expect([...visit.query]).toEqual([
      ['a', '1'],
      ['b', ' '],
    ])
  })

  it('to no link looks nothing up before it is read, and has no address', () => {
    const read: string[] = []
    const noting = {
      country: (ip: string) => void read.push(ip),
      city: (ip: string) => void read.push(ip),
    }
    const where = { host: '', accountId: undefined, path: 'Spring' }
    const visit = openUnknown(visitOf(link), where, noting)
    expect(visit.path).toBe('Spring')
    expect(read).toEqual([])
    expect(visit.place.country).toBeUndefined()
    expect([read, visit.agent.browser, 'ip' in visit]).toEqual([['203.0.113.7'], 'Firefox', false])
  })

  it('reads nothing into an empty one', () => {
    const raw = { userAgent: '', ip: '', language: '' }
    const { agent, place, visitor, query } = openVisit(visitOf(link, raw), placeUnknown)
    const nothing = { browser: undefined, os: undefined, device: undefined, bot: false }
    expect({ agent, place, visitor, query: query.size }).toEqual({
      agent: nothing,
      place: { country: undefined, city: undefined },
      visitor: '',
      query: 0,
    })
  })

  it('has at most 512 bytes of each header', () => {
    const long = 'x'.repeat(16_384)
    const raw = visitOf(link, { userAgent: long, referer: long, language: long })
    const { userAgent, referer, language } = openVisit(raw, placeOf)
    expect([userAgent, referer, language].map(({ length }) => length)).toEqual([512, 512, 512])
  })

  it('keeps a long query whole for routing, and short for counting', () => {
    const raw = visitOf(link, { query: `a=${'x'.repeat(9_000)}` })
    expect(openVisit(raw, placeOf).query.get('a')).toHaveLength(9_000)
    expect(cutForCounting(raw).query).toHaveLength(2_048)
  })

  it('is looked up at most once, and only when somebody asks where it is from', () => {
    const asked: string[] = []
    const country = (ip: string) => {
      asked.push(ip)
      return iceland.country
    }
    const visit = openVisit(visitOf(link), { ...placeOf, country })
    expect(asked).toEqual([])
    expect([visit.place.country, visit.place.country]).toEqual(['IS', 'IS'])
    expect(asked).toEqual(['203.0.113.7'])
  })

  it('is handed on as it is when nothing of it is long', () => {
    const raw = visitOf(link)
    expect(cutForCounting(raw)).toBe(raw)
  })

  it.each(['Mozilla/5.0 (', 'a/1 '.repeat(128), ';'.repeat(512), '('.repeat(512)])(
    'is worked out of the hostile user agent %j in some fifty times what a browser takes',
    start => {
      const usualMs = leastMs(at => browser.replace('120', `${at}`))
      const filled = (at: number) => `${start.slice(0, 480)} ${at} `
      for (const filling of ['Android; ', 'Android, ', 'Windows ']) {
        const hostileMs = leastMs(at => filled(at).padEnd(16_384, filling))
        expect(hostileMs / usualMs).toBeLessThan(50)
      }
    },
  )

  /** The least of many times: what else the machine has to do does not get into each of them. */
  function leastMs(userAgentOf: (at: number) => string): number {
    const tookMs = Array.from({ length: 20 }, (_, at) => {
      const visit = openVisit(visitOf(link, { userAgent: userAgentOf(at) }), placeOf)
      const startedAt = performance.now()
      expect(visit.agent).toBeDefined()
      return performance.now() - startedAt
    })
    return Math.min(...tookMs)
  }
})
