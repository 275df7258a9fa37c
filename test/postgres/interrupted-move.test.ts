import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { linnet, start, temporaryFolder } from '../e2e/program.ts'
import { ask, change, contentOf, folderWith, newest, toFolder, toServer } from './moving.ts'
import { url } from './own-server.ts'

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

  /** Starts a move and kills it as soon as this condition holds. */
  async function killOnce(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    isTime: () => Promise<boolean>,
  ): Promise<void> {
    const { child, exit } = start(['migrate-to', ...args], { env })
    let isOver = false
    void exit.then(() => {
      isOver = true
    })
    while (!isOver && !(await isTime())) await delay(2)
    child.kill('SIGKILL')
    expect(await exit).toEqual({ code: null, signal: 'SIGKILL' })
  }

  const reachedThere = (key: string) => async () => {
    const sql = `select 1 from linnet_move where key = '${key}'`
    return (await ask(sql).catch(() => [])).length > 0
  }

  /** Makes each statement that fills this table of the server last half a second, so that a move is killed within it. */
  async function slowDown(table: string): Promise<() => Promise<unknown>> {
    await ask(`create function wait_a_little() returns trigger language plpgsql
      as 'begin perform pg_sleep(0.5); return null; end'`)
    await ask(`create trigger slow before insert on ${table} execute function wait_a_little()`)
    return () => ask('drop function wait_a_little cascade')
  }

  it('goes on, and what changed meanwhile is moved as well', async () => {
    const folder = folderWith(newest)
    fill(folder)
    const env = { LINNET_DATA_DIR: folder }
    for (const key of ['source', 'clear', 'table accounts']) {
      await killOnce([url], env, reachedThere(key))
    }
    const atOnce = await slowDown('link_counts')
    await killOnce([url], env, reachedThere('table link_counts'))
    await atOnce()
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
    await killOnce([url], env, reachedThere('table visit_names'))
    expect(await toServer(folder)).toMatchObject({ code: 0 })
    const before = contentOf(folder)
    const back = temporaryFolder()
    const known = { LINNET_DATA_DIR: folder, DATABASE_URL: url }
    const moving = join(back, 'linnet.db.moving')
    const reachedHere = (key: string) => async () => {
      try {
        const database = new BetterSqlite3(moving, { readonly: true })
        const found = database.prepare('select 1 from linnet_move where key = ?').get(key)
        database.close()
        return found !== undefined
      } catch {
        return false
      }
    }
    for (const key of ['source', 'table accounts', 'table visit_batches']) {
      await killOnce([back], known, reachedHere(key))
    }
    expect(await toFolder(back)).toMatchObject({ code: 0 })
    expect(contentOf(back)).toEqual(before)
    expect(before.rows.accounts).toContainEqual(expect.stringContaining('Ada again'))
  })

  it('is not mixed with another instance', async () => {
    const folder = folderWith(newest)
    fill(folder)
    await killOnce([url], { LINNET_DATA_DIR: folder }, reachedThere('table accounts'))
    const other = folderWith(newest)
    change(other, `update meta set value = 'another' where key = 'secret'`)
    const { code, stderr } = await toServer(other)
    expect(code).toBe(1)
    expect(stderr).toMatch(/contains part of another instance, whose move was interrupted/)
  })
})
