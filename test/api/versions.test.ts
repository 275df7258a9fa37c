import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Links, Plugin, UnstableLinks } from '../../core/plugin.ts'
import { definePlugin } from '../../core/plugin.ts'
import { boot, type Harness, type ShownLink } from '../harness.ts'
import { releaseGuard } from '../inside.ts'

let linnet: Harness
let links: Links
let unstable: UnstableLinks

/** Exposes the links as plugins see them. */
const lender: Plugin = definePlugin({
  feature: 'test.lender',
  about: 'Lends the links to a test.',
  setup(context) {
    links = context.links
    unstable = context.unstable.links
  },
})

beforeAll(async () => {
  linnet = await boot([lender, 'analytics.visitsTracking'])
})
afterAll(() => linnet.stop())

const read = ({ id }: Pick<ShownLink, 'id'>, ifNoneMatch?: unknown, method = 'GET') =>
  linnet.api(
    method,
    `/links/${id}`,
    undefined,
    ifNoneMatch === undefined ? {} : { 'if-none-match': String(ifNoneMatch) },
  )

it('who has a link already is told so in a word, also behind a proxy that compresses', async () => {
  const link = await linnet.create()
  const { headers } = await read(link)
  // `no-store` would keep a browser from ever asking like this.
  expect(headers['cache-control']).toBe('private, no-cache')
  for (const known of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`]) {
    for (const method of ['GET', 'HEAD']) {
      const again = await read(link, known, method)
      expect([again.status, again.body, again.headers.etag]).toEqual([304, undefined, headers.etag])
      expect(again.headers['content-length']).toBeUndefined()
      expect(again.headers['cache-control']).toBe('private, no-cache')
    }
  }
})

it('who has a link from before its last visits reads it anew, and may still change it', async () => {
  const link = await linnet.create()
  const { etag } = (await read(link)).headers
  await linnet.visit(link)
  const again = await read(link, etag)
  expect([again.status, again.body.data.visits.total]).toEqual([200, 1])
  const ifMatch = { 'if-match': `W/${etag}` }
  const changed = await linnet.api('PATCH', `/links/${link.id}`, { title: 'New' }, ifMatch)
  expect(changed.status).toBe(200)
  expect(await linnet.api('DELETE', `/links/${link.id}`, undefined, ifMatch)).toMatchObject({
    status: 412,
  })
})

it.each([
  ['its page gives it a title', (id: string) => titled(id)],
  ['a plugin guards it', async (id: string) => unstable.markGuarded(await found(id), true)],
  [
    'what guarded it is let go',
    async (id: string) => {
      await unstable.markGuarded(await found(id), true)
      const { etag } = (await read({ id })).headers
      await releaseGuard(linnet.db, 'test.lender')
      expect((await read({ id })).headers.etag).not.toBe(etag)
    },
  ],
])('a link is another version when %s', async (_, change) => {
  const link = await linnet.create()
  const { etag } = (await read(link)).headers
  await change(link.id)
  const answer = await linnet.api(
    'PATCH',
    `/links/${link.id}`,
    { notes: 'Mine' },
    { 'if-match': String(etag) },
  )
  expect([answer.status, answer.body.code]).toEqual([412, 'stale'])
})

it('a link that has a title keeps title and version', async () => {
  const link = await linnet.create({ title: 'Mine' })
  const { etag } = (await read(link)).headers
  await titled(link.id)
  const { headers, body } = await read(link)
  expect([headers.etag, body.data.title]).toEqual([etag, 'Mine'])
})

it('a title that was found out is searched', async () => {
  const link = await linnet.create()
  const ids = async () =>
    (await linnet.api('GET', '/links?search=found')).body.data.map(({ id }: { id: string }) => id)
  expect(await ids()).not.toContain(link.id)
  await titled(link.id)
  expect(await ids()).toContain(link.id)
})

async function found(id: string) {
  const link = await links.find(id)
  if (!link) throw new Error(`There is no link ${id}.`)
  return link
}

async function titled(id: string) {
  await unstable.nameLink(await found(id), 'Found')
}
