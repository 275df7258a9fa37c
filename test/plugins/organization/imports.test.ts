import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import imports from '../../../plugins/organization/imports.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
let filesFolder: string
const needed = [
  'link.customShortCode',
  'link.passwordProtection',
  'organization.tags',
  'analytics.visitsTracking',
  'developer.apiKeys',
] as const

beforeEach(async () => {
  filesFolder = mkdtempSync(join(tmpdir(), 'linnet-imports-'))
  linnet = await boot([imports, ...needed], { filesFolder })
})
afterEach(async () => {
  await linnet.stop()
  rmSync(filesFolder, { recursive: true })
})

const begin = (body: object = {}) => linnet.api('POST', '/imports', { source: 'csv', ...body })
const send = (id: string, content: string | Buffer) =>
  linnet.api('PUT', `/imports/${id}/file`, Buffer.from(content), {
    'content-type': 'application/octet-stream',
  })
const show = async (id: string) => (await linnet.api('GET', `/imports/${id}`)).body.data

async function ended(id: string) {
  await expect.poll(async () => (await show(id)).state).toMatch(/done|stopped|failed/)
  return show(id)
}

/** Imports a file, and resolves to the import when it has ended. */
async function importFile(content: string | Buffer, body: object = {}) {
  const begun = await begin(body)
  expect(begun.status).toBe(201)
  const { id } = begun.body.data
  expect((await send(id, content)).status).toBe(200)
  return ended(id)
}
const rowsOf = async (id: string, query = '') =>
  (await linnet.api('GET', `/imports/${id}/rows${query}`)).body.data
const links = async () => (await linnet.api('GET', '/links?per_page=100&sort=created_at')).body.data
const codes = async () =>
  (await links()).map(({ shortCode }: { shortCode: string }) => shortCode).sort()

const table = `code,originalUrl,tags,visits,createdAt
spring,https://example.com/spring,"sale, 2024",12,2024-03-01T10:00:00Z
autumn,https://example.com/autumn,,0,2024-09-01T10:00:00Z
`

it('a file is imported, with its codes, dates, tags and visits', async () => {
  const run = await importFile(table)
  expect(run).toMatchObject({
    state: 'done',
    sentence: null,
    isDry: false,
    progress: { made: 2, changed: 0, kept: 0, refused: 0, visits: 12 },
    file: { bytes: Buffer.byteLength(table) },
  })
  const [spring] = (await links()).filter((it: { shortCode: string }) => it.shortCode === 'spring')
  expect(spring).toMatchObject({
    originalUrl: 'https://example.com/spring',
    createdAt: '2024-03-01T10:00:00.000Z',
    visits: { total: 12, undated: 12 },
  })
  expect(spring.tags.map(({ name }: { name: string }) => name).sort()).toEqual(['2024', 'sale'])
  expect(readdirSync(join(filesFolder, 'organization.imports'))).toEqual([])
})

it('what is imported again makes nothing twice', async () => {
  await importFile(table)
  const again = await importFile(table)
  expect(again.progress).toMatchObject({ made: 0, kept: 2, refused: 0, visits: 0 })
  expect(await codes()).toEqual(['autumn', 'spring'])
  const [spring] = (await links()).filter((it: { shortCode: string }) => it.shortCode === 'spring')
  expect(spring.visits.total).toBe(12)
  expect(await rowsOf(again.id)).toHaveLength(2)
})
