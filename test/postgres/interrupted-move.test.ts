import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { linnet, start, temporaryFolder } from '../e2e/program.ts'
import { ask, change, contentOf, folderWith, newest, toFolder, toServer } from './moving.ts'
import { server, url } from './own-server.ts'
import { type Relay, startRelay } from './relay.ts'

describe('a move that is broken off', () => {
  /** Adds enough rows that a move takes a while. */
  function fill(folder: string): void {
    change(
      folder,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
       insert into visit_names (name) select 'https://example.com/' || i from n;
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
       insert into link_counts select i, i % 500, randomblob(i % 90) from n;
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
       insert into visit_batches (packed) select randomblob(70000) from n;`,
    )
  }

  /** Starts a move through a relay that stops it where it sends these words, and kills it there. */
  async function killAt(
    relay: Relay,
    {
      to = relay.url,
      env,
    }: { readonly to?: string; readonly env: Readonly<Record<string, string>> },
    ...stop: Parameters<Relay['stopAt']>
  ): Promise<void> {
    const isStopped = relay.stopAt(...stop)
    const { child, exit } = start(['migrate-to', to], { env })
    await Promise.race([isStopped, exit])
    child.kill('SIGKILL')
    expect(await exit).toEqual({ code: null, signal: 'SIGKILL' })
  }

  it('goes on, and what changed meanwhile is moved as well', async () => {
    const folder = folderWith(newest)
    fill(folder)
    const env = { LINNET_DATA_DIR: folder }
    const relay = await startRelay(server.folder, url)
    // Where it has just begun, has made the tables, and has copied the first of them.
    for (const words of [['truncate'], ['table accounts'], ['table link_counts']]) {
      await killAt(relay, { env }, words)
    }
    // It asks how far it is, and tells so with each piece that it has copied.
    await killAt(relay, { env }, ['table link_counts'], 4)
    const [copied] = await ask('select count(*) as rows from link_counts')
    expect(Number(copied?.rows)).toBeGreaterThan(0)
    expect(Number(copied?.rows)).toBeLessThan(30_000)
    for (const command of [['doctor'], ['token', 'create', '--account', 'ada@example.org']]) {
      const { code, stdout, stderr } = await linnet(command, {
        env: { ...env, DATABASE_URL: url },
      })
      expect(code).toBe(1)
      expect(stdout + stderr).toMatch(/Not everything was moved to the database of DATABASE_URL/)
    }
    change(
      folder,
      `update accounts set full_name = 'Ada again'; delete from link_counts where owner_id = 1;
       insert into link_counts values (0, 0, x'00ff')`,
    )
    await killAt(relay, { env }, ['table visit_names'], 3)
    expect(await toServer(folder)).toMatchObject({ code: 0 })
    const before = contentOf(folder)
    const back = temporaryFolder()
    const known = { LINNET_DATA_DIR: folder, DATABASE_URL: relay.url }
    const inBack = (table: string) => {
      const database = new BetterSqlite3(join(back, 'linnet.db.moving'), { readonly: true })
      const rows = database.prepare(`select count(*) from ${table}`).pluck().get()
      database.close()
      return Number(rows)
    }
    const rowsOf = (table: string) => [`from "${table}"`, 'order by']
    await killAt(relay, { to: back, env: known }, ['count(*)', 'from "accounts"'])
    expect(inBack('accounts')).toBe(0)
    const { code, stderr } = await linnet(['serve'], { env: { LINNET_DATA_DIR: back } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/Not everything was moved to .*linnet\.db yet/)
    await killAt(relay, { to: back, env: known }, rowsOf('link_counts'), 2)
    expect(inBack('accounts')).toBeGreaterThan(0)
    await killAt(relay, { to: back, env: known }, rowsOf('visit_batches'), 3)
    expect(inBack('visit_batches')).toBeGreaterThan(0)
    expect(inBack('visit_batches')).toBeLessThan(300)
    expect(await toFolder(back)).toMatchObject({ code: 0 })
    expect(contentOf(back)).toEqual(before)
    expect(before.rows.accounts).toContainEqual(expect.stringContaining('Ada again'))
  })

  it('is not mixed with another instance', async () => {
    const folder = folderWith(newest)
    fill(folder)
    const relay = await startRelay(server.folder, url)
    await killAt(relay, { env: { LINNET_DATA_DIR: folder } }, ['table link_counts'])
    const other = folderWith(newest)
    change(other, `update meta set value = 'another' where key = 'secret'`)
    const { code, stderr } = await toServer(other)
    expect(code).toBe(1)
    expect(stderr).toMatch(/contains part of another instance, whose move was interrupted/)
  })
})
