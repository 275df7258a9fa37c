import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SourceError } from '../../../../../plugins/organization/imports/source.ts'
import type { TableSink } from '../../../../../plugins/organization/imports/tables/row-sink.ts'
import { readDump } from '../../../../../plugins/organization/imports/tables/sql-dump.ts'
import type { Dialect } from '../../../../../plugins/organization/imports/tables/sql-tokens.ts'
import { tries } from '../../../../at-night.ts'

type Cell = string | null

interface Read {
  readonly rows: Readonly<Record<string, readonly (readonly Cell[])[]>>
  readonly refused: readonly string[]
}

/** All rows of a dump, fed in pieces of so many bytes. */
function read(dump: string | Buffer, dialect: Dialect = 'mysql', piece = 7): Read {
  const rows: Record<string, Cell[][]> = {}
  const refused: string[] = []
  const tables: TableSink = {
    declare: () => true,
    open(table, columns = []) {
      const of = rows[table] ?? []
      rows[table] = of
      return {
        places: columns.map((_, index) => index),
        width: columns.length,
        row: values =>
          of.push(values.map(it => (it === null ? null : Buffer.from(it as string).toString()))),
        refuse: reason => refused.push(reason),
      }
    },
  }
  const reading = readDump(dialect, tables)
  reading.next()
  const bytes = Buffer.from(dump as string)
  for (let at = 0; at < bytes.length; at += piece) reading.next(bytes.subarray(at, at + piece))
  expect(reading.next(undefined).done).toBe(true)
  return { rows, refused }
}

const rowsOf = (dump: string, dialect?: Dialect) => read(dump, dialect).rows

const text = fc.string({ unit: 'binary', maxLength: 20 })
const cell = fc.oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc.constantFrom(...'\'\\"`;,()\n\t\r-#/* N.'.split('')),
      maxLength: 8,
    }),
  },
  fc.constant(null),
)
const table = fc.integer({ min: 1, max: 4 }).chain(width =>
  fc.record({
    columns: fc.shuffledSubarray(['id', 'key', 'my text', 'Ü', 'e', 'null'], {
      minLength: width,
      maxLength: width,
    }),
    rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: 6,
    }),
    piece: fc.integer({ min: 1, max: 50 }),
  }),
)

describe('a table of any values is read as it was, written as', () => {
  const escapesOfMysql: Readonly<Record<string, string>> = {
    ...{
      '\0': '\\0',
      '\n': '\\n',
      '\r': '\\r',
      '\x1a': '\\Z',
      '\\': '\\\\',
      "'": "\\'",
      '"': '\\"',
    },
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
  const special = /[\0\n\r\x1a\\'"]/g
  const mysql = (value: Cell) =>
    value === null ? 'NULL' : `'${value.replace(special, it => escapesOfMysql[it] ?? it)}'`

  it('mysqldump does', () => {
    fc.assert(
      fc.property(table, fc.boolean(), ({ columns, rows, piece }, namesColumns) => {
        const names = columns.map(it => `\`${it}\``)
        const structure = `CREATE TABLE \`t\` (\n${names.map(it => `  ${it} text DEFAULT '),(',\n`).join('')}  PRIMARY KEY (${names[0]})\n);\n`
        const values = rows.map(row => `(${row.map(mysql).join(',')})`).join(',')
        const dump = `${structure}INSERT INTO \`t\` ${namesColumns ? `(${names.join(', ')}) ` : ''}VALUES ${values};\n`
        expect(read(dump, 'mysql', piece)).toEqual({ rows: { t: rows }, refused: [] })
      }),
    )
  })

  it('mysqldump --hex-blob does', () => {
    fc.assert(
      fc.property(table, ({ columns, rows, piece }) => {
        const hex = (value: Cell) => {
          if (value === null) return 'NULL'
          return value === '' ? "''" : `0x${Buffer.from(value).toString('hex').toUpperCase()}`
        }
        const values = rows.map(row => `(${row.map(hex).join(',')})`).join(',')
        const dump = `INSERT INTO t (${columns.map(it => `\`${it}\``).join(',')}) VALUES ${values};`
        expect(read(dump, 'mysql', piece).rows).toEqual({ t: rows })
      }),
    )
  })

  it('pg_dump does', () => {
    const escapes: Readonly<Record<string, string>> = {
      ...{
        '\b': '\\b',
        '\f': '\\f',
        '\n': '\\n',
        '\r': '\\r',
        '\t': '\\t',
        '\v': '\\v',
        '\\': '\\\\',
      },
    }
    const copied = (value: Cell) =>
      value === null ? '\\N' : value.replace(/[\b\f\n\r\t\v\\]/g, it => escapes[it] ?? it)
    fc.assert(
      fc.property(table, ({ columns, rows, piece }) => {
        const lines = rows.map(row => `${row.map(copied).join('\t')}\n`).join('')
        const dump = `COPY public.t (${columns.map(it => `"${it}"`).join(', ')}) FROM stdin;\n${lines}\\.\n\n`
        expect(read(dump, 'standard', piece)).toEqual({ rows: { t: rows }, refused: [] })
      }),
    )
  })

  it('pg_dump --inserts does', () => {
    const standard = (value: Cell) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`)
    fc.assert(
      fc.property(table, ({ columns, rows, piece }) => {
        const structure = `CREATE TABLE public.t (${columns.map(it => `"${it}" character varying(255) DEFAULT 'a,b'::character varying`).join(', ')});\n`
        const lines = rows.map(
          row => `INSERT INTO public.t VALUES (${row.map(standard).join(', ')});\n`,
        )
        expect(read(structure + lines.join(''), 'standard', piece).rows).toEqual({ t: rows })
      }),
    )
  })
})

it('reads numbers, truths, bits and what is said of a text', () => {
  const values =
    "1, -2.50, +3, 1e-5, NULL, true, FALSE, b'101', 0xC3A9, x'41', _binary 'a', N'b', _utf8mb4'c', .5"
  const { rows } = read(
    `INSERT INTO t (a,b,c,d,e,f,g,h,i,j,k,l,m) VALUES (${values.replace(', .5', '')});`,
  )
  expect(rows.t).toEqual([
    ['1', '-2.50', '3', '1e-5', null, '1', '0', '5', 'é', 'A', 'a', 'b', 'c'],
  ])
  expect(
    rowsOf("INSERT INTO t (a,b,c) VALUES (E'a\\'b', 'c\\', '2024-01-01'::date);", 'standard').t,
  ).toEqual([["a'b", 'c\\', '2024-01-01']])
})

it.each<[what: string, dump: string, dialect: Dialect]>([
  [
    'comments',
    "-- INSERT INTO t (a) VALUES ('no');\n/* ' */ # '\nINSERT /*!40000 x */ INTO t (a) VALUES ('yes') ; -- '",
    'mysql',
  ],
  ['comments in comments', "/* /* */ ' */ INSERT INTO t (a) VALUES ('yes');", 'standard'],
  [
    'programs of MySQL',
    "DELIMITER ;;\nCREATE TRIGGER x BEGIN INSERT INTO t (a) VALUES ('no'); END ;;\nDELIMITER ;\nINSERT INTO t (a) VALUES ('yes');",
    'mysql',
  ],
  [
    'programs of PostgreSQL',
    "CREATE FUNCTION f() AS $_$ ; INSERT INTO t (a) VALUES ('no'); $ $_ ' $_$; INSERT INTO t (a) VALUES ('yes');",
    'standard',
  ],
  [
    'lines for the client',
    "\\restrict it's;\n\\connect x\nINSERT INTO t (a) VALUES ('yes');\n\\unrestrict it's\n",
    'standard',
  ],
  [
    'words before the name',
    "INSERT LOW_PRIORITY IGNORE INTO `x`.`t` (`a`) VALUES ('yes');REPLACE INTO `t` (`b`) SELECT 'no';",
    'mysql',
  ],
  [
    'words before the values',
    "INSERT INTO t (a) OVERRIDING SYSTEM VALUE VALUES ('yes') ON CONFLICT DO UPDATE SET a = 'no';",
    'standard',
  ],
  [
    'what would change the tables',
    "DROP TABLE t; UPDATE t SET a = 'no'; DELETE FROM t; INSERT INTO t (a) VALUES ('yes'); ALTER TABLE t RENAME TO u;",
    'mysql',
  ],
])('passes over %s', (_, dump, dialect) => {
  expect(rowsOf(dump, dialect).t).toEqual([['yes']])
})

it('finds the columns of a table, whatever else it has', () => {
  const mysql =
    "CREATE TABLE IF NOT EXISTS `t` (`a b` enum('x','),`y`') COMMENT 'no, `c`', `key` int, UNIQUE KEY `k` (`key`), CONSTRAINT `c` CHECK (`key` in (1,2)));INSERT INTO t VALUES ('1',2);"
  expect(read(mysql)).toEqual({ rows: { t: [['1', '2']] }, refused: [] })
  const standard =
    "CREATE TABLE public.t (id bigint NOT NULL, key character varying(255), CONSTRAINT c CHECK ((id > 0)));\nINSERT INTO t VALUES (1, '2');"
  expect(read(standard, 'standard')).toEqual({ rows: { t: [['1', '2']] }, refused: [] })
})

it.each([
  'INSERT INTO links PARTITION (p0) VALUES (1);',
  'INSERT INTO links SET id = 1;',
  'INSERT INTO links SELECT 1;',
])('refuses an INSERT of another form, which is %s', insert => {
  const { rows, refused } = read(
    `CREATE TABLE links (id int);${insert}INSERT INTO links VALUES (2);`,
  )
  expect([rows, refused]).toEqual([
    { links: [['2']] },
    ['It is written in a form of its own: only rows behind VALUES are read.'],
  ])
})

it('says of values that SQLite writes as to be computed what to take in place of them', () => {
  const dump = "CREATE TABLE links (id int, title text);INSERT INTO links VALUES(1,upper('a'));"
  expect(read(dump, 'standard').refused).toEqual([
    'The row has a value that a database would have to compute. Of SQLite, take the database file itself, and not its .dump.',
  ])
})

it.each<[written: string, text: string]>([
  // As the shell of SQLite 3.40 writes them.
  [String.raw`replace('a\nb','\n',char(10))`, 'a\nb'],
  [String.raw`replace(replace('x\r\ny''z','\r',char(13)),'\n',char(10))`, "x\r\ny'z"],
  [String.raw`replace('lit \n and\012nl','\012',char(10))`, 'lit \\n and\nnl'],
  [String.raw`replace('\n \012(\n0)','(\n0)',char(10))`, '\\n \\012\n'],
  [String.raw`replace('\r','\r',char(13))`, '\r'],
  // And newer ones.
  [String.raw`unistr('a\u000ab\\n''é\u0001')`, "a\nb\\n'é\u0001"],
  [String.raw`UNISTR('\+01f600\U0001F600\00e9')`, '😀😀é'],
  ["replace('a','',char(10))", 'a'],
])('reads a text with line breaks that SQLite writes as %s', (written, text) => {
  const dump = `CREATE TABLE links (id int, title text);INSERT INTO links VALUES(1,${written}),(2,'x');`
  expect(read(dump, 'standard')).toEqual({
    rows: {
      links: [
        ['1', text],
        ['2', 'x'],
      ],
    },
    refused: [],
  })
})

it.each([
  "replace('a','b','c')",
  "replace('a','b',char(10),1)",
  "replace(replace('a','b',char(10))",
  "replace(replace('a','b',char(10)))",
  "replace('a','b',char(65))",
  "replace('a','b',char(10)) || 'x'",
  "replace(upper('a'),'b',char(10))",
  "unistr('a' || 'b')",
  "unistr('\\u12')",
  "unistr('\\U00110000')",
  "unistr(replace('a','b',char(10)))",
  'replace',
])('computes nothing else: %s', written => {
  const dump = `CREATE TABLE links (id int, title text);INSERT INTO links VALUES(1,${written});INSERT INTO links VALUES(2,'x');`
  const { rows, refused } = read(dump, 'standard')
  expect([...(rows.links ?? []), ...refused].join()).not.toContain('1,')
  expect(refused.length + (rows.links?.length ?? 0)).toBeGreaterThan(0)
})

it('knows dollar quotes by the names that PostgreSQL allows: a longer one would be looked for at each byte', () => {
  const hidden = (letters: number) =>
    rowsOf(
      `CREATE FUNCTION f AS $${'a'.repeat(letters)}$ ; INSERT INTO t (a) VALUES (1);$${'a'.repeat(letters)}$; INSERT INTO t (a) VALUES (2);`,
      'standard',
    ).t
  expect(hidden(63)).toEqual([['2']])
  expect(hidden(64)).toEqual([['1'], ['2']])
})

it('refuses a row with another number of values, and one that had to be computed, and goes on', () => {
  expect(
    read(
      "INSERT INTO t (a,b) VALUES (1,2),(3),(4,5,6),(7,now()),(8,(SELECT 9)),('x' || 'y',1),(10,11);",
    ),
  ).toEqual({
    rows: {
      t: [
        ['1', '2'],
        ['10', '11'],
      ],
    },
    refused: [
      'The row has 1 values, and the table 2 columns.',
      'The row has 3 values, and the table 2 columns.',
      ...Array(3).fill('The row has a value that a database would have to compute.'),
    ],
  })
  expect(read('INSERT INTO t (a) VALUES (1),(2; INSERT INTO t (a) VALUES (3);')).toEqual({
    rows: { t: [['1'], ['3']] },
    refused: ['The row has no end.'],
  })
  expect(read('COPY t (a, b) FROM stdin;\n1\t2\n3\n\\.\n', 'standard').refused).toHaveLength(1)
})

it.each<[what: string, dump: string, says: string]>([
  [
    'in a text',
    "INSERT INTO t (a) VALUES ('abc",
    'The dump ends in the middle of a statement: it was cut off. Make it anew.',
  ],
  [
    'between rows',
    "INSERT INTO t (a) VALUES ('abc'),",
    'The dump ends in the middle of a statement: it was cut off. Make it anew.',
  ],
  [
    'in a comment',
    '/* abc',
    'The dump ends in the middle of a statement: it was cut off. Make it anew.',
  ],
  [
    'in the rows of COPY',
    'COPY t (a) FROM stdin;\n1\n',
    'The dump ends in the middle of the table t: it was cut off. Make it anew.',
  ],
  [
    'before its last line',
    '-- MariaDB dump 10.19  Distrib\nINSERT INTO t (a) VALUES (1);',
    'The last line of the dump, which says that it is complete, is missing',
  ],
])('says that a dump was cut off %s', (_, dump, says) => {
  expect(() => read(dump)).toThrow(SourceError)
  expect(() => read(dump)).toThrow(says)
})

it('says that a dump is in another encoding', () => {
  expect(() => read('/*!40101 SET NAMES latin1 */;')).toThrow(
    'The dump is written in latin1. Make it in UTF-8',
  )
  expect(() => read("SET client_encoding = 'LATIN1';", 'standard')).toThrow('written in LATIN1')
  expect(read("SET NAMES 'utf8mb4'; SET client_encoding = 'UTF8';").rows).toEqual({})
})

it('reads ten thousand columns, and refuses more than any database has', () => {
  const columns = (count: number) =>
    Array.from({ length: count }, (_, index) => `c${index}`).join(',')
  const many = `INSERT INTO t (${columns(10_000)}) VALUES (${'1,'.repeat(9_999)}2);`
  expect(read(many, 'mysql', 10_000).rows.t?.[0]?.at(-1)).toBe('2')
  expect(() => read(`INSERT INTO t (${columns(40_000)}) VALUES (1);`, 'mysql', 10_000)).toThrow(
    'more columns than any database allows',
  )
})

it('keeps the beginning of a value that is longer than any that are read', () => {
  const { rows } = read(
    `INSERT INTO t (a) VALUES ('${'a'.repeat(2 ** 20 + 5)}'),('b');`,
    'mysql',
    65_536,
  )
  expect(rows.t?.map(([value]) => value?.length)).toEqual([2 ** 20, 1])
})

it('ends with rows or a sentence, whatever it is given', () => {
  const pieces = fc.constantFrom(
    ...[
      'INSERT INTO t (a) VALUES (',
      "'",
      '"',
      '`',
      '\\',
      '(',
      ')',
      ',',
      ';',
      '\n',
      '--',
      '/*',
      '*/',
      '$$',
      '$a$',
    ],
    ...[
      'COPY t (a) FROM stdin;\n',
      '\\.\n',
      '\t',
      'CREATE TABLE t (',
      'NULL',
      '0x',
      "b'",
      'E',
      'DELIMITER $$\n',
      '-',
      ':',
      '1',
    ],
  )
  const bytes = fc.oneof(
    fc.array(pieces, { maxLength: 40 }).map(it => Buffer.from(it.join(''))),
    fc.uint8Array({ maxLength: 200 }).map(it => Buffer.from(it)),
  )
  fc.assert(
    fc.property(
      bytes,
      fc.constantFrom<Dialect>('mysql', 'standard'),
      fc.integer({ min: 1, max: 9 }),
      (dump, dialect, piece) => {
        try {
          read(dump, dialect, piece)
        } catch (error) {
          expect(error).toBeInstanceOf(SourceError)
        }
      },
    ),
    tries(500),
  )
})
