import { beforeAll, describe, expect, it } from 'vitest'
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
    const cache = createLinkCache(on, 5)
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

  it('finds the links of another host by no path that a request can name', () => {
    const cache = createLinkCache(on)
    cache.on('a.example').prepare()('code', link(0))
    const paths = ['code a.example', 'a.example/code', '/a.example/code', 'code%0Aa.example']
    expect(kept(cache, ...paths)).toEqual([])
  })

  it('lets the oldest go when there are too many', () => {
    const cache = createLinkCache(on, 2)
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
