import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isNight, itAtNight } from '../at-night.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { linnet, temporaryFolder } from './program.ts'
import { type Server, serve, serverEnv, token } from './server.ts'

/** A table of links, each with two visits. */
function tableOf(links: number): string {
  const rows = Array.from({ length: links }, (_, row) => `code-${row},https://example.com/${row},2`)
  return `code,originalUrl,visits\n${rows.join('\n')}\n`
}

async function begin(server: Server, content: string): Promise<string> {
  const { body } = await server.api('POST', '/imports', { source: 'csv' })
  const { id } = body.data
  const sent = await fetch(`${server.url}/api/v1/imports/${id}/file`, {
    ...{ method: 'PUT', body: content },
    headers: { authorization: `Bearer ${token}` },
  })
  expect(sent.status).toBe(200)
  return id
}
const show = async (server: Server, id: string) =>
  (await server.api('GET', `/imports/${id}`)).body.data

it('a command imports beside the server, with its name alone, and links lead on at once', async () => {
  const dataDir = temporaryFolder()
  const server = await serve({ dataDir })
  const file = join(temporaryFolder(), 'links.csv')
  writeFileSync(file, tableOf(3))
  const env = serverEnv(dataDir)
  const done = await linnet(['import', 'csv', file, '--account', 'ada@example.org'], { env })
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).toMatch(/^3 links came \(0 in another way\) with 6 visits/)
  const location = async () => (await server.get('/code-1')).headers.get('location')
  await expect.poll(location).toBe('https://example.com/1')
})

it.skipIf(!canLimitMemory)(
  'a server with 128 MiB refuses a file, and a command beside it that has more memory reads it',
  async () => {
    const dataDir = temporaryFolder()
    const tight = withMemory(128)
    const server = await serve({ dataDir, through: tight })
    const { status, body } = await server.api('POST', '/imports', { source: 'csv' })
    expect([status, body.code]).toEqual([409, 'too_little_memory'])
    if (!isNight) return
    const file = join(temporaryFolder(), 'links.csv')
    writeFileSync(file, tableOf(3))
    const run = (through: readonly string[]) =>
      linnet(['import', 'csv', file, '--account', 'ada@example.org'], {
        ...{ env: serverEnv(dataDir), through },
      })
    expect(await run(tight)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(body.detail),
    })
    expect(await run([])).toMatchObject({ code: 0, stderr: '' })
    const location = async () => (await server.get('/code-1')).headers.get('location')
    await expect.poll(location).toBe('https://example.com/1')
  },
)

itAtNight(
  'an import whose server is killed goes on by itself, and makes nothing twice',
  async () => {
    const dataDir = temporaryFolder()
    const links = 5_000
    const server = await serve({ dataDir })
    const id = await begin(server, tableOf(links))
    await expect.poll(async () => (await show(server, id)).progress.made).toBeGreaterThan(100)
    await server.kill('SIGKILL')
    const next = await serve({ dataDir })
    expect((await show(next, id)).state).toBe('running')
    // Once nobody has heard of it for half a minute, and a minute begins.
    await expect.poll(async () => (await show(next, id)).state, { timeout: 240_000 }).toBe('done')
    expect((await show(next, id)).progress).toMatchObject({ made: links, kept: 0, refused: 0 })
    const { body } = await next.api('GET', '/links?per_page=1&search=code')
    expect(body.meta.total).toBe(links)
    const visits = async () => (await next.api('GET', '/links?per_page=1&sort=visits')).body.data[0]
    await expect.poll(async () => (await visits()).visits.total).toBe(2)
  },
)
