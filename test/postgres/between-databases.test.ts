import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, root, temporaryFolder } from '../e2e/program.ts'
import { type Server, serve, serverEnv } from '../e2e/server.ts'
import { comparable } from '../plugins/organization/exports/bring-back.ts'
import { url } from './own-server.ts'

/** The lines of the documentation, with codes that every host takes. */
function documented(): string {
  const docs = readFileSync(join(root, 'docs/export.md'), 'utf8')
  const [, lines = ''] = /```jsonl\n(.*?)```/s.exec(docs) ?? []
  return lines.replaceAll('größe', 'size').replaceAll('gr%C3%B6%C3%9Fe', 'size')
}

/** Runs a command, and expects that it succeeds. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  expect(await linnet(args, { env })).toMatchObject({ code: 0, stderr: '' })
}

const totalOf = async (server: Server) =>
  (await server.api('GET', '/links?per_page=1')).body.data[0]?.visits.total

itAtNight('what was exported on SQLite and imported on PostgreSQL is the same there', async () => {
  const folder = temporaryFolder()
  const kinds = [{}, { DATABASE_URL: url }].map((kind, at) => {
    const dataDir = temporaryFolder()
    return { kind, dataDir, env: { ...serverEnv(dataDir), ...kind }, to: join(folder, `${at}`) }
  })
  let from = join(folder, 'documented')
  writeFileSync(from, documented())
  for (const { kind, dataDir, env, to } of kinds) {
    await (await serve({ dataDir, env: kind })).kill('SIGTERM')
    await run(['import', 'linnet', from, '--account', 'ada@example.org'], env)
    // It adds up the visits, which a command leaves to it.
    const server = await serve({ dataDir, env: kind })
    await expect.poll(() => totalOf(server)).toBe(20)
    await server.kill('SIGTERM')
    await run(['export', to, '--hashes'], env)
    from = to
  }
  const [before, after] = kinds.map(({ to }) => comparable(readFileSync(to, 'utf8')))
  expect(after).toEqual(before)
  const countsIn = (lines: readonly unknown[] = []) =>
    lines.filter(it => (it as { kind: string }).kind === 'counts')
  expect(countsIn(after)).toEqual(countsIn(comparable(documented())))
})

itAtNight('what commands bring is in an export soon, though nobody asks the server', async () => {
  const dataDir = temporaryFolder()
  const env = { ...serverEnv(dataDir), DATABASE_URL: url }
  const server = await serve({ dataDir, env })
  const folder = temporaryFolder()
  async function totals(): Promise<readonly number[]> {
    const to = join(temporaryFolder(), 'all.jsonl')
    await run(['export', to], env)
    const lines = readFileSync(to, 'utf8').trim().split('\n')
    return lines
      .map(it => JSON.parse(it))
      .flatMap(it => (it.kind === 'link' ? it.visits.total : []))
  }
  // The first may be what the server finds anyway, as each does after its start.
  for (const [at, visits] of [70, 30].entries()) {
    const file = join(folder, `${at}.csv`)
    writeFileSync(file, `short_code,original_url,visits\nbrought${at},https://e.org/,${visits}\n`)
    await run(['import', 'csv', file, '--account', 'ada@example.org'], env)
    await expect
      .poll(totals, { timeout: 30_000, interval: 1_000 })
      .toEqual([70, 30].slice(0, at + 1))
  }
  await server.kill('SIGTERM')
})
