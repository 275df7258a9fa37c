import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { readPublicId } from '../../core/plugin.ts'
import { makeImports } from '../../plugins/organization/imports/make-imports.ts'
import { csv } from '../../plugins/organization/imports/sources/csv.ts'
import { boot } from '../harness.ts'
import { server } from './own-server.ts'

beforeAll(() => {
  process.env.LINNET_TEST_DATABASE_URL = server.url()
})

it('an import does not go on while another one of the account begins to', async () => {
  const filesFolder = mkdtempSync(join(tmpdir(), 'linnet-imports-'))
  const linnet = await boot([makeImports([csv])], { filesFolder })
  onTestFinished(async () => {
    await linnet.stop()
    rmSync(filesFolder, { recursive: true })
  })
  const ids: string[] = []
  for (let at = 0; at < 2; at += 1) {
    const { body } = await linnet.api('POST', '/imports', { source: 'csv' })
    await linnet.api('DELETE', `/imports/${body.data.id}`)
    ids.push(body.data.id)
  }
  // As another server does it at this moment.
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(linnet.db)
  const address = Object.assign(new URL(server.url()), { pathname: rows[0]?.name })
  const another = new pg.Client({ connectionString: address.href })
  await another.connect()
  onTestFinished(() => another.end())
  await another.query('begin')
  const change = `update organization_imports set active_of = account_id, state = 'running'`
  await another.query(`${change} where id = $1`, [readPublicId('imp', ids[0] ?? '')])
  const asked = linnet.api('POST', `/imports/${ids[1]}/resume`, {})
  const waiting = `select count(*)::int as count from pg_locks
    where not granted and locktype = 'transactionid'`
  const waits = async () => (await another.query(waiting)).rows[0].count
  await expect.poll(waits, { timeout: 20_000 }).toBe(1)
  await another.query('commit')
  const { status, body } = await asked
  expect([status, body.code]).toEqual([409, 'import_running'])
})
