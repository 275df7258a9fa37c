import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../e2e/program.ts'
import { createLink, type Server, serve, token } from '../e2e/server.ts'

const links = Number(process.env.IMPORT_LINKS ?? 100_000)
const hours = 10

/** Links with visits in so many hours each, as another Linnet exports them. */
async function writeExport(): Promise<string> {
  const path = join(temporaryFolder(), 'all.jsonl')
  const file = createWriteStream(path)
  const write = (line: object) => file.write(`${JSON.stringify(line)}\n`)
  write({
    kind: 'export',
    version: 1,
    at: '2026-01-02T00:00:00.000Z',
    of: 'account',
    baseUrl: 'https://s.test',
  })
  const at = '2025-01-01T00:00:00.000Z'
  for (let row = 0; row < links; row += 1) {
    const id = `lnk_${row}`
    const dates = { createdAt: at, updatedAt: at, lastVisitAt: null, isArchived: false }
    const empty = {
      owner: 'ada@example.org',
      host: null,
      formerCodes: [],
      tags: [],
      campaign: null,
    }
    const fields = { originalUrl: `https://example.com/${row}` }
    write({
      kind: 'link',
      id,
      code: `c-${row}`,
      ...empty,
      ...dates,
      visits: { total: 25, undated: 5, fromQrCodes: 0 },
      fields,
      shown: {},
    })
    const counts = Array.from({ length: hours }, (_, hour) => ({
      at: new Date(Date.UTC(2025, 5, 1 + (row % 20), hour)).toISOString(),
      visits: 2,
      by: { visitsByCountry: { DE: 1 } },
    }))
    write({ kind: 'counts', link: id, part: '1', counts })
    if (row % 1_000 === 0) await delay(0)
  }
  write({ kind: 'end', lines: 2 * links + 2 })
  file.end()
  await finished(file)
  return path
}

/** The processor time of a process, in seconds. */
function processorSeconds({ pid }: Server): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number)
  return (user + system) / 100
}

/** How long redirects take while `isOver` is false, sorted, in milliseconds. */
async function redirectsUntil(server: Server, code: string, isOver: () => boolean) {
  const took: number[] = []
  while (!isOver()) {
    const begun = performance.now()
    expect((await server.get(`/${code}`)).status).toBe(302)
    took.push(performance.now() - begun)
    await delay(10)
  }
  return took.sort((a, b) => a - b)
}
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? 0

it('an import of a hundred thousand links with their visits takes no more of a processor than it may, and leaves none out', async () => {
  const path = await writeExport()
  const server = await serve()
  const { shortCode } = await createLink(server)
  const quietUntil = performance.now() + 3_000
  const quiet = await redirectsUntil(server, shortCode, () => performance.now() > quietUntil)
  const { body } = await server.api('POST', '/imports', { source: 'linnet' })
  const { id } = body.data
  const sent = await fetch(`${server.url}/api/v1/imports/${id}/file`, {
    ...{ method: 'PUT', body: readFileSync(path) },
    headers: { authorization: `Bearer ${token}` },
  })
  expect(sent.status).toBe(200)
  const begun = { at: performance.now(), processor: processorSeconds(server) }
  let state = 'running'
  const watching = (async () => {
    while (state === 'running') {
      await delay(500)
      state = (await server.api('GET', `/imports/${id}`)).body.data.state
    }
  })()
  const busy = await redirectsUntil(server, shortCode, () => state !== 'running')
  await watching
  const run = (await server.api('GET', `/imports/${id}`)).body.data
  const seconds = (performance.now() - begun.at) / 1_000
  const processor = processorSeconds(server) - begun.processor
  console.info({
    links,
    seconds,
    processor,
    quiet: { median: at(quiet, 0.5), p99: at(quiet, 0.99) },
    busy: { median: at(busy, 0.5), p99: at(busy, 0.99) },
  })
  const { body: report } = await server.api('GET', `/imports/${id}/rows?per_page=1`)
  expect(report.data).toEqual([])
  expect(run).toMatchObject({ state: 'done', sentence: null })
  expect(run.progress).toMatchObject({ made: links, visits: 25 * links })
  // Of the processor, since the machine may be busy with something else.
  expect(processor / links).toBeLessThan(120 / 100_000)

  const exporting = { at: performance.now(), processor: processorSeconds(server) }
  let isOver = false
  const exported = exportOf(server).finally(() => {
    isOver = true
  })
  const meanwhile = await redirectsUntil(server, shortCode, () => isOver)
  const lines = await exported
  const exportedIn = processorSeconds(server) - exporting.processor
  console.info({
    seconds: (performance.now() - exporting.at) / 1_000,
    processor: exportedIn,
    meanwhile: { median: at(meanwhile, 0.5), p99: at(meanwhile, 0.99) },
  })
  // The links with their visits, and the one that is followed.
  expect(lines.filter(it => it.startsWith('{"kind":"link"'))).toHaveLength(links + 1)
  expect(lines.filter(it => it.startsWith('{"kind":"counts"')).length).toBeGreaterThanOrEqual(links)
  expect(exportedIn).toBeLessThan(processor)
})

/** The lines of all that there is. */
async function exportOf(server: Server): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const sent = await fetch(`${server.url}/api/v1/admin/export`, { headers })
  return (await sent.text()).trimEnd().split('\n')
}
