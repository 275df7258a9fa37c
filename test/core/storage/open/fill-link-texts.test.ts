import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listLinks } from '../../../../core/links/read/list-links.ts'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-texts-'))
  file = join(folder, 'linnet.db')
  const before = new URL('../../../fixtures/schema-5.db.gz', import.meta.url)
  writeFileSync(file, gunzipSync(readFileSync(before)))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Many links more of the account that is there, each with a former code. */
function addLinks(count: number): void {
  const database = new BetterSqlite3(file)
  database.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into links (account_id, domain, short_code, original_url, title, fields, guarded_by, version, created_at, updated_at)
    select 1, '', 'new-' || i, 'https://example.com/' || i, 'Über ' || i, '{}', '[]', 1, i, i from n;
    insert into short_codes (domain, code, link_id, account_id, created_at)
    select '', replace(short_code, 'new', old.prefix), id, 1, created_at
    from links, (select 'old' as prefix union select 'new') as old where short_code like 'new-%'`)
  database.close()
}

async function search(words: string): Promise<readonly string[]> {
  const { db, close } = await openSqlite(file)
  const { rows } = await listLinks(db, {
    accountId: 1,
    search: words,
    within: [],
    offset: 0,
    limit: 100,
    sort: { key: 'created_at', descending: true },
  })
  await close()
  return rows.map(({ shortCode }) => shortCode)
}

it('links of a database of before are found', async () => {
  expect(await search('example.com shut')).toEqual(['locked'])
})

it('the filling goes on where it was cut off, tells how far it is, and leaves no mark', async () => {
  addLinks(12_000)
  const heard: string[] = []
  const cutOff = openSqlite(file, {
    say: progress => {
      heard.push(progress)
      if (heard.length === 2) throw new Error('cut off')
    },
  })
  await expect(cutOff).rejects.toThrow('cut off')
  const { close } = await openSqlite(file, { say: progress => heard.push(progress) })
  await close()
  expect(heard).toEqual(
    ['5000', '10000', '12005'].map(
      upTo => `Preparing links for the search: up to number ${upTo} of 12005.`,
    ),
  )
  expect(await search('UBER 11999')).toEqual(['new-11999'])
  expect(await search('old-11998')).toEqual(['new-11998'])
  const database = new BetterSqlite3(file, { readonly: true })
  const count = (table: string) => database.prepare(`select count(*) from ${table}`).pluck().get()
  expect(count('link_texts')).toBe(count('links'))
  expect(count(`meta where key = 'link_texts_up_to'`)).toBe(0)
  database.close()
})
