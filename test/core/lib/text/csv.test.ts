import { describe, expect, it } from 'vitest'
import { csvOf } from '../../../../core/lib/text/csv.ts'

/** The one row below a head, without what stands around it. */
const row = (...cells: Parameters<typeof csvOf>[1][number]) => csvOf(['a'], [cells]).slice(4, -2)

describe('CSV', () => {
  it('is a line a row, each with its end, after a byte order mark', () => {
    expect(csvOf(['a', 'b'], [['x', 1]])).toBe('\ufeffa,b\r\nx,1\r\n')
  })

  it('quotes what would be taken for more than a cell, and nothing else', () => {
    expect(row('a,b', 'say "no"', 'one\ntwo', 'x y', '')).toBe('"a,b","say ""no""","one\ntwo",x y,')
  })

  it('has numbers as they are, and nothing where there is nothing', () => {
    expect(row(1.5, -3, 0, null, 1e6)).toBe('1.5,-3,0,,1000000')
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', '"\'\r\'=1"'],
    ['\n=1', '"\'\n\'=1"'],
    ['\ta', "'\ta"],
    ['=HYPERLINK("https://evil.example","x")', '"\'=HYPERLINK(""https://evil.example"",""x"")"'],
    ['  =1+1', "'  =1+1"],
    ['\u00a0@a', "'\u00a0@a"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    [';=1+1;', ";'=1+1;"],
    ['a;=1+1;b;@b', "a;'=1+1;b;'@b"],
    ['a,-1', `"a,'-1"`],
    ['a\t=1', "a\t'=1"],
    ['a\n=1', `"a\n'=1"`],
    ['a|+1', "a|'+1"],
    ['a;＝1', "a;'＝1"],
    ['"=1', `"""'=1"`],
    ['\t=1;=1', "'\t'=1;'=1"],
    ['a=b', 'a=b'],
    [' a', ' a'],
    ['a; b', 'a; b'],
  ])('does not let a spreadsheet take %j for a formula', (text, cell) => {
    expect(row(text)).toBe(cell)
  })
})
