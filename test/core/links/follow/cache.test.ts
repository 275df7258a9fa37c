import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLinkCache, type LinkCache } from '../../../../core/links/follow/cache.ts'
import type { CompiledLink } from '../../../../core/links/follow/compile.ts'
import { boot } from '../../../harness.ts'

/** Links as following compiles them. */
const links: CompiledLink[] = []

beforeAll(async () => {
  const linnet = await boot([])
  for (let made = 0; made < 3; made++) {
    const { shortCode } = await linnet.create()
    await linnet.visit(shortCode)
    const link = linnet.app.cache.get(shortCode)
    if (link) links.push(link)
  }
  await linnet.stop()
  expect(links).toHaveLength(3)
})

const link = (index: number): CompiledLink => {
  const found = links[index]
  if (!found) throw new Error(`There is no link ${index}.`)
  return found
}
const on = () => true
const keep = (cache: LinkCache, code: string, index: number) => cache.prepare()(code, link(index))
const kept = (cache: LinkCache, ...codes: string[]) => codes.filter(code => cache.get(code))

describe('the cache of compiled links', () => {
  it('gives what was kept, by code', () => {
    const cache = createLinkCache(on)
    keep(cache, 'a', 0)
    expect(cache.get('a')).toBe(link(0))
    expect(cache.get('b')).toBeUndefined()
    expect(cache.get('__proto__')).toBeUndefined()
  })

  it('forgets a link under all its codes, and no other', () => {
    const cache = createLinkCache(on)
    keep(cache, 'a', 0)
    keep(cache, 'former-a', 0)
    keep(cache, 'b', 1)
    cache.forget(link(0).tracked.id)
    expect(kept(cache, 'a', 'former-a', 'b')).toEqual(['b'])
  })

  it('forgets a code with the link that it led to last', () => {
    const cache = createLinkCache(on)
    keep(cache, 'moved', 0)
    keep(cache, 'moved', 1)
    cache.forget(link(0).tracked.id)
    expect(cache.get('moved')).toBe(link(1))
    cache.forget(link(1).tracked.id)
    expect(cache.get('moved')).toBeUndefined()
  })

  it('keeps as much as it may, so large links take the places of many', () => {
    const cache = createLinkCache(on, on, 5)
    const large = (index: number, size: number) => ({ ...link(index), size })
    for (const code of ['a', 'b', 'c']) keep(cache, code, 0)
    cache.prepare()('large', large(1, 3))
    expect(kept(cache, 'a', 'b', 'c', 'large')).toEqual(['b', 'c', 'large'])
    cache.prepare()('larger', large(2, 9))
    expect(kept(cache, 'b', 'c', 'large', 'larger')).toEqual(['larger'])
    cache.forget(link(2).tracked.id)
    for (const code of ['a', 'b', 'c', 'd', 'e', 'f']) keep(cache, code, 0)
    expect(kept(cache, 'a', 'b', 'c', 'd', 'e', 'f')).toEqual(['b', 'c', 'd', 'e', 'f'])
  })

  it('keeps the same code apart on every host', () => {
    const cache = createLinkCache(on)
    const [a, b] = [cache.on('a.example'), cache.on('b.example')]
    keep(cache, 'code', 0)
    a.prepare()('code', link(1))
    b.prepare()('code', link(2))
    expect(cache.get('code')).toBe(link(0))
    expect(a.get('code')).toBe(link(1))
    expect(cache.on('b.example').get('code')).toBe(link(2))
    cache.forget(link(1).tracked.id)
    expect([cache.get('code'), a.get('code'), b.get('code')]).toEqual([link(0), undefined, link(2)])
    cache.forgetAll()
    expect(b.get('code')).toBeUndefined()
  })

  it('forgets the links of accounts, under all codes and hosts and doubtful ones too, and no others', () => {
    const cache = createLinkCache(on)
    const of = (accountId: number, index: number): CompiledLink => {
      const { tracked, ...rest } = link(index)
      return { ...rest, tracked: { ...tracked, owner: { ...tracked.owner, accountId } } }
    }
    const keepThree = () => {
      cache.prepare()('a', of(7, 0))
      cache.prepare()('former-a', of(7, 0))
      cache.on('b.example').prepare()('b', of(8, 1))
      cache.prepare()('c', of(9, 2))
    }
    const old = cache.prepare()
    keepThree()
    cache.forgetOf(new Set([7, 8]))
    expect([kept(cache, 'a', 'former-a', 'c'), cache.on('b.example').get('b')]).toEqual([
      ['c'],
      undefined,
    ])
    old('a', of(7, 0))
    expect(cache.get('a')).toBeUndefined()
    keepThree()
    cache.doubtAll(performance.now() + 60_000)
    cache.forgetOf(new Set([7]))
    expect(['a', 'former-a', 'c'].filter(code => cache.doubtful(code))).toEqual(['c'])
    expect(cache.size()).toBe(2)
  })

  it('finds the links of another host by no path that a request can name', () => {
    const cache = createLinkCache(on)
    cache.on('a.example').prepare()('code', link(0))
    const paths = ['code a.example', 'a.example/code', '/a.example/code', 'code%0Aa.example']
    expect(kept(cache, ...paths)).toEqual([])
  })

  it('lets the oldest go when there are too many', () => {
    const cache = createLinkCache(on, on, 2)
    keep(cache, 'a', 0)
    keep(cache, 'b', 1)
    keep(cache, 'c', 2)
    expect(kept(cache, 'a', 'b', 'c')).toEqual(['b', 'c'])
    cache.forget(link(0).tracked.id)
    expect(kept(cache, 'b', 'c')).toEqual(['b', 'c'])
  })

  it('keeps nothing that was read before something was forgotten: it may be old', () => {
    const cache = createLinkCache(on)
    const [afterForget, afterAll] = [cache.prepare(), cache.prepare()]
    cache.forget(link(2).tracked.id)
    afterForget('a', link(0))
    expect(cache.get('a')).toBeUndefined()
    cache.forgetAll()
    afterAll('a', link(0))
    expect(cache.get('a')).toBeUndefined()
    keep(cache, 'a', 0)
    expect(cache.get('a')).toBe(link(0))
  })

  it('has links looked up anew that others may have changed, and gives them for when that fails, until their time is over', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let isHeard = true
    const cache = createLinkCache(on, () => isHeard, 5)
    const doubtful = (...codes: string[]) => codes.filter(code => cache.doubtful(code))
    const all = ['a', 'b', 'guarded', 'late']
    keep(cache, 'a', 0)
    keep(cache, 'b', 1)
    cache.prepare()('guarded', { ...link(2), redirect: undefined })
    expect(doubtful(...all)).toEqual([])
    cache.doubtAll(performance.now() + 1_000)
    expect([kept(cache, ...all), doubtful(...all), cache.size()]).toEqual([[], ['a', 'b'], 2])

    // What is found is not doubtful any more, nor is what is not found or was changed.
    keep(cache, 'a', 0)
    expect([kept(cache, ...all), doubtful(...all)]).toEqual([['a'], ['b']])
    cache.doubtAll(performance.now() + 2_000)
    cache.forget(link(1).tracked.id)
    expect(doubtful(...all)).toEqual(['a'])
    cache.prepare()('a', undefined)
    expect(doubtful(...all)).toEqual([])

    // What is read while nothing is heard was not heard of since.
    isHeard = false
    keep(cache, 'b', 1)
    vi.advanceTimersByTime(1_000)
    keep(cache, 'late', 2)
    expect([kept(cache, ...all), doubtful(...all)]).toEqual([[], ['b', 'late']])
    cache.prepare()('large', { ...link(0), size: 4 })
    expect(doubtful(...all, 'large')).toEqual(['late', 'large'])
    vi.advanceTimersByTime(300_000 - 1)
    expect(doubtful(...all)).toEqual(['late'])
    vi.advanceTimersByTime(1)
    expect(doubtful(...all)).toEqual([])
    cache.doubtAll(performance.now())
    expect(cache.size()).toBe(0)
  })

  it('has one visitor every two seconds ask a database that is silent, and gives doubtful links to all others', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const cache = createLinkCache(on)
    const other = cache.on('b.example')
    keep(cache, 'a', 0)
    other.prepare()('b', link(1))
    cache.doubtAll(performance.now() + 60_000)
    const given = () => [cache.inSilence('a'), other.inSilence('b'), cache.inSilence('unknown')]
    expect(given()).toEqual([undefined, undefined, undefined])
    other.noteSilence()
    expect(given()).toEqual([link(0), link(1), undefined])
    vi.advanceTimersByTime(2_000)
    expect(given()).toEqual([undefined, link(1), undefined])
    vi.advanceTimersByTime(1_999)
    expect(given()).toEqual([link(0), link(1), undefined])
    // It answered for any link.
    cache.prepare()('gone', undefined)
    expect(given()).toEqual([undefined, undefined, undefined])
    cache.noteSilence()
    cache.doubtAll(performance.now())
    expect(given()).toEqual([undefined, undefined, undefined])
  })

  it('keeps nothing while it is switched off', () => {
    let isOn = true
    const cache = createLinkCache(() => isOn)
    keep(cache, 'a', 0)
    isOn = false
    cache.forgetAll()
    keep(cache, 'a', 0)
    expect(cache.get('a')).toBeUndefined()
    isOn = true
    keep(cache, 'a', 0)
    expect(cache.get('a')).toBe(link(0))
  })
})
