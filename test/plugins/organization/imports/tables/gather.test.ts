import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Asked, SourceError } from '../../../../../plugins/organization/imports/source.ts'
import {
  type Gathered,
  gather,
  TooLarge,
  type Wanted,
} from '../../../../../plugins/organization/imports/tables/gather.ts'
import { all } from '../from-text.ts'

let folder: string
let files = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-gather-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const wanted = {
  links: { columns: ['id', 'code'], more: ['title'], key: 'id' },
  visits: { columns: ['link_id', 'agent'], isOptional: true, isLoose: true },
} satisfies Record<string, Wanted>

/** The rows of links and visits in a file, and what was refused. */
async function read(bytes: Uint8Array | string, prefix?: string | null) {
  const path = join(folder, `file-${files++}`)
  writeFileSync(path, bytes)
  return readFileAt(path, prefix)
}

const readFileAt = (path: string, prefix?: string | null, signal?: AbortSignal) =>
  gatherAt(
    path,
    prefix,
    async tables => ({
      links: tables.all('SELECT * FROM links'),
      visits: tables.all('SELECT * FROM visits'),
      refused: await all(tables.refused()),
    }),
    signal,
  )

async function gatherAt<Found>(
  path: string,
  prefix: string | null | undefined,
  use: (tables: Gathered) => Promise<Found>,
  signal = new AbortController().signal,
): Promise<Found> {
  const room = mkdtempSync(join(folder, 'room-'))
  const whole = readFileSync(path)
  const file = {
    name: 'dump',
    path,
    bytes: statSync(path).size,
    async *read() {
      for (let at = 0; at < whole.length; at += 999) yield whole.subarray(at, at + 999)
    },
  }
  const tables = await gather(
    { folder: room, signal, file } as unknown as Asked,
    'Fox',
    wanted,
    prefix,
  )
  try {
    return await use(tables)
  } finally {
    tables.close()
  }
}

const saying = async (bytes: Uint8Array | string, prefix?: string | null) => {
  const error = await read(bytes, prefix).then(
    () => undefined,
    (it: unknown) => it,
  )
  expect(error).toBeInstanceOf(SourceError)
  return (error as Error).message
}

describe('a dump of SQL', () => {
  const rows = "INSERT INTO links (code, id, other) VALUES ('a', 7, 'x'), ('b'), ('c', 8, 'y');"

  it('gives the columns that are wanted, in one order, and says which rows it cannot give', async () => {
    expect(await read(`INSERT INTO other (id) VALUES (1);${rows}`)).toEqual({
      links: [
        { id: '7', code: 'a', title: null },
        { id: '8', code: 'c', title: null },
      ],
      visits: [],
      refused: [
        {
          kind: 'refused',
          row: 'links, row 2',
          reason: 'The row has 1 values, and the table 3 columns.',
        },
      ],
    })
  })

  it('refuses a row whose key another had, and gives a thousand rows at most at once, so that few rows never make millions', async () => {
    const same = Array.from({ length: 1_500 }, () => "(1,'same')").join()
    const others = Array.from({ length: 1_500 }, (_, agent) => `(1,'${agent}')`).join()
    const found = await read(
      `INSERT INTO links (id, code) VALUES (1,'first'),${same};INSERT INTO visits (link_id, agent) VALUES ${others};`,
    )
    expect(found.links).toEqual([{ id: '1', code: 'first', title: null }])
    expect(found.refused).toHaveLength(1_500)
    expect(found.refused[0]).toEqual({
      kind: 'refused',
      row: 'links, row 2',
      reason: 'A row before has the same id.',
    })
    expect(found.visits).toHaveLength(1_000)
  })

  it('reads no more of other tables for one row than can come of it', async () => {
    const long = 'x'.repeat(30_000)
    const visits = Array.from({ length: 40 }, () => `(1,'${long}')`).join()
    const dump = `INSERT INTO links (id, code) VALUES (1,'a'),(2,'b'),(3,'c');INSERT INTO visits (link_id, agent) VALUES ${visits};`
    const path = join(folder, 'multiplied')
    writeFileSync(path, dump)
    await gatherAt(path, undefined, async tables => {
      const read = (most: number) =>
        tables.all(`SELECT agent FROM (SELECT * FROM visits LIMIT ${most})`).length
      const found: unknown[] = []
      for await (const { id } of tables.each('links')) {
        if (id === '2') expect(() => read(40)).toThrow(TooLarge)
        else found.push(id, read(20))
      }
      expect(found).toEqual(['1', 20, '3', 20])
      const each = await all(tables.each('visits'))
      expect(each.map(it => it.agent?.length)).toEqual(Array(40).fill(30_000))
    })
  })

  it('knows a table by its columns, and its prefix, if any may be', async () => {
    const others = "INSERT INTO wp_links (link, id) VALUES ('no', 1);"
    const ours = "INSERT INTO fox_links (id, code) VALUES (1, 'yes');"
    expect((await read(others + ours, null)).links).toEqual([{ id: '1', code: 'yes', title: null }])
    expect((await read(others + ours, 'fox_')).links).toHaveLength(1)
    expect(await saying(ours.replace('fox', 'owl') + ours, null)).toBe(
      'The file has the tables of several Fox: owl_links and fox_links. Say with what the names of yours begin.',
    )
    expect(await saying(ours, 'owl_')).toBe(
      'The file is no database of Fox: it has no table owl_links with the columns of one. It has fox_links.',
    )
  })

  it.each<[what: string, bytes: Uint8Array | string, says: string]>([
    ['is empty', '', 'The file is empty.'],
    ['has nothing to read', '-- nothing\n', 'It has no tables.'],
    ['is in UTF-16', Buffer.from(`\ufeff${rows}`, 'utf16le'), 'The file is in UTF-16'],
    ['is in UTF-16 without its mark', Buffer.from(rows, 'utf16le'), 'The file is in UTF-16'],
    [
      'is in Latin-1',
      Buffer.from(rows.replace("'c'", "'é'"), 'latin1'),
      'Row 3 of the table links is not in UTF-8. Make the dump with',
    ],
    [
      'is an archive of pg_dump',
      'PGDMP\x01\x0e\x00',
      'The file is an archive of pg_dump. Make text of it: pg_restore',
    ],
    [
      'is an archive of pg_dump of the kind tar',
      Buffer.from(`toc.dat${'\0'.repeat(250)}ustar CREATE TABLE links`),
      'The file is an archive of pg_dump. Make text of it: pg_restore',
    ],
    [
      'is a tar archive',
      Buffer.from(`dump.sql${'\0'.repeat(249)}ustar CREATE TABLE links`),
      'The file is a tar archive. Unpack it, and take the dump in it.',
    ],
    [
      'is something else',
      Buffer.from('GIF89a\x01\x02\x00\x00\x00'),
      'neither a dump of SQL nor a database of SQLite',
    ],
    [
      'does not say its columns',
      "INSERT INTO links VALUES (1, 'a');",
      'does not say which columns the table links has',
    ],
    [
      'is of two databases',
      `CREATE TABLE links (id int, code int);${rows}USE b;CREATE TABLE links (id int, code int);`,
      'The file has several tables called links. Make a dump of one database only.',
    ],
  ])('says so if it %s', async (_, bytes, says) => {
    expect(await saying(bytes)).toContain(says)
  })

  it.each<[what: string, dump: string, code: string]>([
    [
      'MySQL without comments',
      "CREATE TABLE links (id int(10), code text) ENGINE=InnoDB;INSERT INTO links VALUES (1,'a\\nb');",
      'a\nb',
    ],
    ['MySQL with rows alone', "INSERT INTO links (id, code) VALUES (1,'it\\'s');", "it's"],
    [
      'phpMyAdmin',
      "-- phpMyAdmin SQL Dump\nINSERT INTO `links` (`id`, `code`) VALUES (1,'a\\\\');",
      'a\\',
    ],
    [
      'PostgreSQL, with a backtick in a text',
      "SET standard_conforming_strings = on;\nINSERT INTO links (id, code) VALUES (1, 'a` INTO `\\');",
      'a` INTO `\\',
    ],
    [
      'SQLite, of tables in backticks',
      "PRAGMA foreign_keys=OFF;\nCREATE TABLE `links` (`id` integer, `code` text);\nINSERT INTO links VALUES(1,'a\\');",
      'a\\',
    ],
  ])('is read as %s writes it', async (_, dump, code) => {
    expect((await read(dump)).links).toEqual([{ id: '1', code, title: null }])
  })

  it('mends what visitors sent', async () => {
    const visit = Buffer.from("INSERT INTO visits (link_id, agent) VALUES (1, 'é');", 'latin1')
    expect((await read(Buffer.concat([Buffer.from(rows), visit]))).visits).toEqual([
      { link_id: '1', agent: '\ufffd' },
    ])
  })

  it('reads a mark of UTF-8 as nothing', async () => {
    expect((await read(`\ufeff${rows}`)).links).toHaveLength(2)
  })
})

describe('a database of SQLite', () => {
  function make(sql: string, pragma = 'journal_mode = DELETE'): string {
    const path = join(folder, `base-${files++}`)
    const db = new BetterSqlite3(path)
    db.pragma(pragma)
    db.exec(sql)
    db.close()
    return path
  }
  /** As nobody does who means well. */
  function changeSchema(path: string, sql: string): void {
    const db = new BetterSqlite3(path)
    db.unsafeMode()
    db.pragma('writable_schema = ON')
    db.exec(sql)
    db.close()
  }
  const table =
    "CREATE TABLE links (id INTEGER PRIMARY KEY, code, title); INSERT INTO links VALUES (7, 'a', x'c3a9'), (9007199254740993, 1.5, NULL);"

  it.each(['journal_mode = DELETE', 'journal_mode = WAL'])(
    'gives its rows as text, with %s',
    async pragma => {
      expect((await readFileAt(make(table, pragma))).links).toEqual([
        { id: '7', code: 'a', title: 'é' },
        { id: '9007199254740993', code: '1.5', title: null },
      ])
    },
  )

  it('gives what is still in its log, and leaves the file as it is', async () => {
    const path = join(folder, 'open')
    const db = new BetterSqlite3(path)
    db.pragma('journal_mode = WAL')
    db.exec(table)
    const before = readFileSync(path)
    expect((await readFileAt(path)).links).toHaveLength(2)
    expect(readFileSync(path)).toEqual(before)
    db.close()
  })

  it.each<[what: string, sql: string]>([
    [
      'views',
      "CREATE VIEW links AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 'a' AS code FROM n;",
    ],
    [
      'generated columns',
      'CREATE TABLE links (id, code AS (replace(hex(zeroblob(100000000)), 0, 1)));',
    ],
    ['virtual tables', 'CREATE VIRTUAL TABLE links USING fts5(id, code);'],
  ])('computes nothing: %s are none of its tables', async (_, sql) => {
    await expect(readFileAt(make(sql))).rejects.toThrow(
      'The file is no database of Fox: it has no table links',
    )
  })

  it.each(['CREATE  VIRTUAL', 'CREATE\tVIRTUAL', 'CREATE/**/VIRTUAL', 'create virtual'])(
    'never runs a table that computes, however its statement is spelled: %s',
    async begin => {
      const path =
        make(`CREATE VIEW v AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 'a' AS code FROM n;
        CREATE VIRTUAL TABLE links USING fts5(id, code, content = 'v', content_rowid = 'id');
        CREATE TABLE other (id);`)
      changeSchema(
        path,
        `UPDATE sqlite_schema SET sql = replace(sql, 'CREATE VIRTUAL', '${begin}') WHERE name = 'links'`,
      )
      await expect(readFileAt(path)).rejects.toThrow(
        'The file is no database of Fox: it has no table links',
      )
      changeSchema(
        path,
        "UPDATE sqlite_schema SET name = 'links', tbl_name = 'links' WHERE name = 'other'",
      )
      await expect(readFileAt(path)).rejects.toThrow(SourceError)
    },
  )

  it('refuses more columns than SQLite should be asked to read, before SQLite sees them', async () => {
    const path = make(table)
    const columns = Array.from({ length: 2000 }, (_, index) => `c${index}`).join()
    changeSchema(
      path,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO sqlite_schema SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || i || '(${columns})' FROM n`,
    )
    await expect(readFileAt(path)).rejects.toThrow(
      'The tables of the database take more than 256 KiB to describe',
    )
  })

  it('reads one of many tables, with indexes, views and triggers beside them', async () => {
    const others = Array.from(
      { length: 300 },
      (_, index) =>
        `CREATE TABLE t${index} (a UNIQUE, b); CREATE INDEX i${index} ON t${index} (a + b);`,
    ).join('')
    const path = make(
      `BEGIN; ${others}${table}CREATE VIEW v AS SELECT * FROM links; CREATE TRIGGER r AFTER INSERT ON links BEGIN DELETE FROM t1; END; COMMIT;`,
      'page_size = 512',
    )
    expect((await readFileAt(path)).links).toHaveLength(2)
  })

  it('cuts long texts off where those of dumps are, in letters', async () => {
    const path = make(
      "CREATE TABLE links (id, code, title); INSERT INTO links VALUES (1, 2.0, replace(hex(zeroblob(50000)), '0', 'é')), (2, 'a', CAST(replace(hex(zeroblob(50000)), '0', 'é') AS BLOB));",
    )
    const title = 'é'.repeat(32_768)
    expect((await readFileAt(path)).links).toEqual([
      { id: '1', code: '2', title },
      { id: '2', code: 'a', title },
    ])
  })

  it('is refused in UTF-16, which SQLite makes UTF-8 of as a whole', async () => {
    await expect(readFileAt(make(table, "encoding = 'UTF-16le'"))).rejects.toThrow(
      'The database of SQLite is in UTF-16, which those of no program are.',
    )
    expect((await readFileAt(make(table, "encoding = 'UTF-8'"))).links).toHaveLength(2)
  })

  it('leaves out values that are longer than any that are read', async () => {
    const path = make(
      'CREATE TABLE links (id, code, title); INSERT INTO links VALUES (1, 2, zeroblob(2000000));',
    )
    expect((await readFileAt(path)).links).toEqual([{ id: '1', code: '2', title: null }])
  })

  it('ends with rows or a sentence, however it is damaged', async () => {
    const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO links SELECT i + 10, 'code' || i, NULL FROM n;`
    const whole = readFileSync(make(table.replace(/INSERT.*/, '') + many))
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 30,
    })
    const end = fc.option(fc.nat(whole.length))
    await fc.assert(
      fc.asyncProperty(damage, end, async (bytes, length) => {
        const file = Buffer.from(whole)
        for (const [at, byte] of bytes) file[at] = byte
        await read(file.subarray(0, length ?? file.length)).catch((error: unknown) => {
          expect(error).toBeInstanceOf(SourceError)
        })
      }),
      { numRuns: 30 },
    )
  })
})

it('ends when it is stopped', async () => {
  const path = join(folder, 'stopped')
  writeFileSync(path, "INSERT INTO links (id, code) VALUES (1, 'a');")
  const reading = readFileAt(path, undefined, AbortSignal.abort())
  await expect(reading).rejects.toThrow('aborted')
})
