import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvStart, readCsv, writeCsv } from '../../../../plugins/dashboard/web/shared/text/csv.ts'

describe('a CSV file', () => {
  it.each([
    [
      'lines of any kind',
      'a,b\r\nc,d\ne,f\rg,h',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
        ['g', 'h'],
      ],
    ],
    ['a byte order mark', '\ufeffa,b', [['a', 'b']]],
    ['quotes', '"a","b ""c"" d"', [['a', 'b "c" d']]],
    ['a line break in quotes', '"a\r\nb",c', [['a\r\nb', 'c']]],
    ['commas in quotes', '"a,b",c', [['a,b', 'c']]],
    [
      'empty cells',
      'a,,\n,,c',
      [
        ['a', '', ''],
        ['', '', 'c'],
      ],
    ],
    ['an empty cell in quotes alone', '""', [['']]],
    ['empty lines', '\n\na\n\r\n\nb\n', [['a'], ['b']]],
    [
      'semicolons',
      'a;b,c;d\ne;f;g',
      [
        ['a', 'b,c', 'd'],
        ['e', 'f', 'g'],
      ],
    ],
    [
      'tabs',
      'a\tb\nc\td',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['separators that the quotes of the first line hide', '"a;b;c",d', [['a;b;c', 'd']]],
    ['quotes within a cell', 'a "b" c,d', [['a "b" c', 'd']]],
    ['text after the quotes', '"a" b,c', [['a b', 'c']]],
    ['quotes that nothing closes', '"a,b\nc', [['a,b\nc']]],
    ['an apostrophe before a formula', "'=1+1,'tis", [['=1+1', "'tis"]]],
    ['nothing', '', []],
  ])('with %s is read', (_, text, rows) => {
    expect(readCsv(text)).toEqual(rows)
  })

  it('of ten thousand lines is read in no time', () => {
    const line = `https://example.com/,"${'x'.repeat(100)}",title\r\n`
    expect(readCsv(line.repeat(10_000))).toHaveLength(10_000)
  })

  it('with a very long cell is read', () => {
    const long = 'x""'.repeat(500_000)
    expect(readCsv(`"${long}",b`)[0]?.[0]).toHaveLength(1_000_000)
  })

  it('is not one long search where quotes are wrong', () => {
    expect(readCsv('"a'.repeat(50_000))).toHaveLength(1)
  })

  it('is read at once although a quote within a cell is not closed', () => {
    const megabyte = 'x'.repeat(1_000_000)
    const rows = readCsv(`url,title\nhttps://example.com/,5" nail ${megabyte}`)
    expect(rows).toEqual([
      ['url', 'title'],
      ['https://example.com/', `5" nail ${megabyte}`],
    ])
  })
})

describe('what is written', () => {
  it('holds no formula', () => {
    expect(writeCsv([['=cmd()', '-1', '@a', "'=b", 'a=b', ' =c']])).toBe(
      "'=cmd(),'-1,'@a,''=b,a=b,' =c\r\n",
    )
    expect(writeCsv([['a;=1;b', 'a\t@b', 'a|+b']])).toBe(`"a;'=1;b","a\t'@b",a|'+b\r\n`)
  })

  it('is read back as it was', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab",;|\t\r\n\'=+-@ é'), maxLength: 8 })
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 })
    fc.assert(
      fc.property(rows, fc.boolean(), (rows, isFile) => {
        const text = (isFile ? csvStart : '') + writeCsv(rows)
        expect(readCsv(text)).toEqual(rows)
      }),
    )
  })

  it('is read whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'a",;\t\r\n\ufeff'), maxLength: 30 }),
        text => {
          expect(Array.isArray(readCsv(text))).toBe(true)
        },
      ),
    )
  })
})
