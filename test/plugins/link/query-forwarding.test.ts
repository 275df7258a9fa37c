import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import queryForwarding from '../../../plugins/link/query-forwarding.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot(queryForwarding)
})
afterEach(() => linnet.stop())

async function led(originalUrl: string, query: string) {
  const link = await linnet.create({ originalUrl, forwardQuery: true })
  return (await linnet.visit(link, { query })).location
}

describe('a link that forwards the query', () => {
  it.each([
    ['https://example.com/', '?a=1&b=2', 'https://example.com/?a=1&b=2'],
    ['https://example.com/?own=1', '?a=1', 'https://example.com/?own=1&a=1'],
    ['https://example.com/#part', '?a=1', 'https://example.com/?a=1#part'],
    ['https://example.com/?own=1#part', '?a=1', 'https://example.com/?own=1&a=1#part'],
    ['https://example.com/', '?a=1&a=2', 'https://example.com/?a=1&a=2'],
    ['https://example.com/', '?a=%26%3D%20%C3%BC', 'https://example.com/?a=%26%3D+%C3%BC'],
    ['https://example.com/', '', 'https://example.com/'],
    ['https://example.com/', '?', 'https://example.com/'],
  ])('%s visited with %s leads to %s', async (address, query, expected) => {
    expect(await led(address, query)).toBe(expected)
  })

  it.each([
    ['as long as an address may be', 'x'.repeat(8_192 - 'https://example.com/?a='.length), true],
    ['a character longer', 'x'.repeat(8_193 - 'https://example.com/?a='.length), false],
    ['longer once it is escaped', '%'.repeat(14_000), false],
  ])(
    'leads on with or without a query that makes the address %s',
    async (_, value, isForwarded) => {
      const expected = `https://example.com/${isForwarded ? `?a=${value}` : ''}`
      expect(await led('https://example.com/', `?a=${value}`)).toBe(expected)
      expect(linnet.log).toEqual([])
    },
  )

  it("never replaces the address's own parameters, nor spells them anew", async () => {
    expect(await led('https://example.com/?to=a%20b&flag', '?to=evil&TO=other&flag=0&x=1')).toBe(
      'https://example.com/?to=a%20b&flag&TO=other&x=1',
    )
  })

  it('keeps to itself what is ours', async () => {
    expect(await led('https://example.com/', '?qr=1&pass=secret&a=1')).toBe(
      'https://example.com/?a=1',
    )
    expect(await led('https://example.com/', '?qr')).toBe('https://example.com/')
  })

  it('cannot be led elsewhere, nor made to answer with a second header', async () => {
    const query = '?@evil.example/&%0d%0aSet-Cookie:a=b&=//evil.example#x'
    const location = (await led('https://example.com/page', query)) ?? ''
    expect(new URL(location).origin).toBe('https://example.com')
    expect(new URL(location).pathname).toBe('/page')
    expect(location).not.toMatch(/[\r\n]/)
  })
})

it('forwards nothing unless the link says so, and then the link stays plain', async () => {
  for (const forwardQuery of [undefined, false]) {
    const link = await linnet.create(forwardQuery === undefined ? {} : { forwardQuery })
    expect((await linnet.visit(link, { query: '?a=1' })).location).toBe('https://example.com/')
    expect(linnet.app.cache.get(link.shortCode)?.redirect).toBeDefined()
  }
})

it('stops when it is switched off again', async () => {
  const link = await linnet.create({ forwardQuery: true })
  await linnet.visit(link, { query: '?a=1' })
  await linnet.api('PATCH', `/links/${link.id}`, { forward_query: null })
  expect((await linnet.visit(link, { query: '?a=1' })).location).toBe('https://example.com/')
})
