import { afterEach, beforeEach, expect, it } from 'vitest'
import editOriginalUrl from '../../../plugins/link/edit-original-url.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot(editOriginalUrl)
})
afterEach(() => linnet.stop())

it('sends a link that was followed before to its new address at once', async () => {
  const link = await linnet.create()
  await linnet.visit(link)
  const { body } = await linnet.api('PATCH', `/links/${link.id}`, {
    original_url: 'https://EXAMPLE.net/new',
  })
  expect(body.data.originalUrl).toBe('https://example.net/new')
  expect(await linnet.visit(link)).toMatchObject({ location: 'https://example.net/new' })
})

it.each(['javascript:alert(1)', 'https://go.example.org/loop', 'nonsense', ''])(
  'refuses %j and leaves the link as it was',
  async originalUrl => {
    const link = await linnet.create()
    const { status, body } = await linnet.api('PATCH', `/links/${link.id}`, {
      original_url: originalUrl,
    })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field: 'original_url' }])
    expect(await linnet.visit(link)).toMatchObject({ location: 'https://example.com/' })
  },
)

it('is an unknown field while it is off', async () => {
  const link = await linnet.create()
  const off = await linnet.restart([])
  const { status, body } = await off.api('PATCH', `/links/${link.id}`, {
    original_url: 'https://example.net/',
  })
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ field: 'original_url' }])
  await off.app.close()
})
