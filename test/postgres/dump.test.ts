import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { expectVisits } from '../e2e/counted.ts'
import { linnet, root, temporaryFolder } from '../e2e/program.ts'
import { createLink, serve } from '../e2e/server.ts'
import { create } from '../open-on-server.ts'
import { server, url } from './own-server.ts'
import { findPrograms } from './server.mjs'

/** The commands of the guide, in its order. */
const [, commands = ''] =
  /^## Backups\n\n```sh\n(.+?)\n```/ms.exec(readFileSync(join(root, 'docs/scaling.md'), 'utf8')) ??
  []
const [dump = '', restore = ''] = commands.split('\n')

const doctor = async (databaseUrl: string) => {
  const env = { DATABASE_URL: databaseUrl, LINNET_DATA_DIR: temporaryFolder() }
  const { code, stdout } = await linnet(['doctor'], { env })
  return { code, stdout }
}

async function rowsOf(databaseUrl: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string; many: string }>(`
    select tablename as name, (xpath('/row/many/text()', query_to_xml(
      format('select count(*) as many from public.%I', tablename), false, true, '')))[1]::text as many
    from pg_tables where schemaname = 'public' order by 1`)
  await client.end()
  return Object.fromEntries(rows.map(({ name, many }) => [name, Number(many)]))
}

/** The same database, with a user who only owns it and has no other rights. */
async function ofAnother(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  await client.query('create role another login nosuperuser')
  await client.query(`alter database ${databaseUrl.replace(/.*\//, '')} owner to another`)
  await client.end()
  return databaseUrl.replace('linnet@', 'another@')
}

it('a dump that is made as the guide says is restored as it says: into the same database, and as another user', async () => {
  const folder = temporaryFolder()
  const run = (command: string, databaseUrl: string) =>
    execFileSync('sh', ['-c', command], {
      cwd: folder,
      env: {
        PATH: [findPrograms(), process.env.PATH].join(delimiter),
        DATABASE_URL: databaseUrl,
      },
    })
  const env = { DATABASE_URL: url }

  const before = await serve({ env })
  const kept = await createLink(before, { original_url: 'https://example.com/kept' })
  expect((await before.get(`/${kept.shortCode}`)).status).toBe(302)
  await expectVisits(before, kept.id, 1)
  await before.kill('SIGTERM')
  run(dump, url)
  const rows = await rowsOf(url)
  expect(rows).toMatchObject({ links: 1, link_totals: 1, accounts: 1 })

  const after = await serve({ env })
  const lost = await createLink(after, { original_url: 'https://example.com/lost' })
  expect((await after.api('DELETE', `/links/${kept.id}`)).status).toBe(204)
  await after.kill('SIGTERM')
  run(restore, url)
  expect(await rowsOf(url)).toEqual(rows)

  const elsewhere = await ofAnother(await create(server.url()))
  run(`${restore} --no-owner`, elsewhere)
  expect(await rowsOf(elsewhere)).toEqual(rows)

  for (const restored of [url, elsewhere]) {
    const said = await doctor(restored)
    expect(said.stdout).toMatch(/PostgreSQL \d.* has .* of Linnet/)
    expect(said.stdout).toMatch(/whether you make dumps/)
    const node = await serve({ env: { DATABASE_URL: restored }, admin: false })
    const { body } = await node.api('GET', `/links/${kept.id}`)
    expect(body.data.visits).toMatchObject({ total: 1 })
    expect((await node.get(`/${kept.shortCode}`)).status).toBe(302)
    expect((await node.get(`/${lost.shortCode}`)).status).toBe(404)
    const next = await createLink(node, { original_url: 'https://example.com/next' })
    expect(next.id).not.toBe(kept.id)
    await node.kill('SIGTERM')
  }
})
