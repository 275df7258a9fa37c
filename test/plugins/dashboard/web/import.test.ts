import { describe, expect, it } from 'vitest'
import {
  guessColumns,
  targets,
} from '../../../../plugins/dashboard/web/pages/links/import/columns.ts'
import {
  draftsOf,
  momentIn,
  namesIn,
  numberIn,
} from '../../../../plugins/dashboard/web/pages/links/import/drafts.ts'
import { planOf } from '../../../../plugins/dashboard/web/pages/links/import/plan.ts'
import { codeKey } from '../../../../plugins/dashboard/web/pages/links/import/read-conflicts.ts'
import { readTable } from '../../../../plugins/dashboard/web/pages/links/import/read-table.ts'

const cellsOf = (text: string) => readTable(text).rows.map(({ cells }) => cells)
const guess = (text: string) => guessColumns(readTable(text), targets)

describe('what was pasted', () => {
  it('is an address a line, perhaps behind a short code', () => {
    const text =
      '\nhttps://example.com/a,b;c\n  spring   example.com/sale \r\n\nhttp://localhost:3000/\n'
    expect(readTable(text)).toEqual({
      head: null,
      rows: [
        { number: 2, cells: ['https://example.com/a,b;c'] },
        { number: 3, cells: ['example.com/sale', 'spring'] },
        { number: 5, cells: ['http://localhost:3000/'] },
      ],
    })
  })

  it.each([
    ['commas', 'url,code\nhttps://example.com/,spring'],
    ['semicolons', 'url;code\nhttps://example.com/;spring'],
    ['tabs, as a spreadsheet copies it', 'url\tcode\nhttps://example.com/\tspring'],
  ])('is a table with %s', (_, text) => {
    const table = readTable(text)
    expect(table).toEqual({
      head: ['url', 'code'],
      rows: [{ number: 2, cells: ['https://example.com/', 'spring'] }],
    })
  })

  it('has no head where the first row is a link already', () => {
    expect(readTable('"https://example.com/","A, B"').head).toBe(null)
    expect(cellsOf('"https://example.com/","A, B"')).toEqual([['https://example.com/', 'A, B']])
  })

  it('may be no link at all', () => {
    expect(readTable('').rows).toEqual([])
    expect(readTable('\n \n').rows).toEqual([])
  })
})

describe('the columns of a file', () => {
  it.each([
    ['Original URL,Short code,Title,Tags', ['original_url', 'short_code', 'title', 'tags']],
    ['long_url,slashtag,Clicks', ['original_url', 'short_code', null]],
    ['Destination URL,key,Comments,url', ['original_url', 'short_code', 'notes', null]],
  ])('%s are known by their names', (head, columns) => {
    expect(guess(`${head}\nhttps://example.com/,a,b,c`).slice(0, columns.length)).toEqual(columns)
  })

  it('are known by what is in them', () => {
    expect(guess('who,where\nAda,https://example.com/')).toEqual([null, 'original_url'])
    expect(guess('"spring","https://example.com/","x"')).toEqual([
      'short_code',
      'original_url',
      null,
    ])
    expect(guess('spring https://example.com/')).toEqual(['original_url', 'short_code'])
  })

  it('are none that the account may not set', () => {
    const table = readTable('url,code\nhttps://example.com/,spring')
    expect(guessColumns(table, ['original_url', 'title'])).toEqual(['original_url', null])
  })

  it('are the long URL and not the link beside it, in whichever order', () => {
    expect(guess('Link,Long URL,Title\nhttps://go.example/a,https://example.com/,A')).toEqual([
      null,
      'original_url',
      'title',
    ])
    expect(guess('Link,Title\nhttps://example.com/,A')).toEqual(['original_url', 'title'])
  })
})

describe('a row', () => {
  const problems = (text: string) =>
    draftsOf(readTable(text).rows, guess(text)).map(({ problem }) => problem)

  it('says what is wrong with it', () => {
    const text = [
      'url,code,ends at',
      'example.com/a,spring,2027-03-01',
      ',empty,',
      'nowhere,x,',
      'example.com/b,a b,',
      'example.com/c,spring,',
      'example.com/d,,tomorrow',
      'example.com/e?1,2,e,2027-03-01',
      'example.com/f,f,,',
    ].join('\n')
    expect(problems(text)).toEqual([
      undefined,
      'This row has no URL.',
      'The URL must begin with http:// or https://.',
      'Use only letters, digits, hyphens and underscores, at most 64 characters.',
      'An earlier row has the same short code.',
      'Write the date like 2027-03-01 or 2027-03-01 12:00.',
      'More cells than the first row: put cells with commas in them into quotation marks.',
      undefined,
    ])
  })

  it('is left out where it has a password, which no file has', () => {
    const { head, rows } = readTable(
      'url,code,has_password\nexample.com/a,a,true\nexample.com/b,b,',
    )
    const drafts = draftsOf(rows, ['original_url', 'short_code', null], [], head)
    expect(drafts.map(({ problem }) => problem)).toEqual([
      'It has a password, which is not in the file.',
      undefined,
    ])
  })

  it('may have another scheme, where the operator allows that', () => {
    const schemes = ['mailto', 'myapp']
    const text = 'mailto:ada@example.org\nopen MYAPP://open\nhttps://example.com/'
    const table = readTable(text, schemes)
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['mailto:ada@example.org'],
      ['MYAPP://open', 'open'],
      ['https://example.com/'],
    ])
    const columns = guessColumns(table, targets, schemes)
    expect(columns).toEqual(['original_url', 'short_code'])
    const problem = (it: string) =>
      draftsOf([{ number: 1, cells: [it] }], ['original_url'], schemes)[0]?.problem
    expect(problem('mailto:ada@example.org')).toBe(undefined)
    expect(['tel:+4989123', 'ada@example.org', 'javascript:alert(1)'].map(problem)).toEqual(
      Array(3).fill('The URL must begin with http://, https://, mailto:, or myapp:.'),
    )
    const row = { number: 1, cells: ['mailto:ada@example.org'] }
    const [alone] = draftsOf([row], ['original_url'])
    expect(alone?.problem).toBe('The URL must begin with http:// or https://.')
  })

  it.each([
    ['2027-03-01T12:00:00Z', '2027-03-01T12:00:00.000Z'],
    ['2027-03-01 12:00+02:00', '2027-03-01T10:00:00.000Z'],
    ['2027-03-01', new Date(2027, 2, 1).toISOString()],
    ['2027-03-01 12:00', new Date(2027, 2, 1, 12).toISOString()],
    ['2027-13-01', undefined],
    ['1.3.2027', new Date(2027, 2, 1).toISOString()],
    ['31. 12. 2026 09:30', new Date(2026, 11, 31, 9, 30).toISOString()],
    ['31.13.2026', undefined],
    ['03/01/2027', undefined],
    ['2027', undefined],
  ])('has the moment %s', (text, moment) => {
    expect(momentIn(text)).toBe(moment)
  })

  it('has numbers, and what is none is left to the API', () => {
    expect([numberIn('301'), numberIn(' 60 '), numberIn('soon')]).toEqual([301, 60, 'soon'])
    const columns = guess('url,redirect_status,Redirect cache seconds\nexample.com,301,60')
    expect(columns).toEqual(['original_url', 'redirect_status', 'redirect_cache_seconds'])
    expect(guess('original_url,paths,path')).toEqual(['original_url', 'paths', 'short_code'])
  })

  it('has names with commas, semicolons or bars between them, each once', () => {
    expect(namesIn('Print, Fair; Print ,')).toEqual(['Print', 'Fair'])
    expect(namesIn('Print | Fair, Rome|Print | ')).toEqual(['Print', 'Fair, Rome'])
  })
})

describe('a row whose code is not free', () => {
  const text = 'sale https://example.com/a\nsale-2 https://example.com/b\nx https://example.com/c'
  const drafts = draftsOf(readTable(text).rows, guess(text))
  const taken = { isFree: false, reason: 'taken' as const }
  const conflicts = new Map(
    [
      { shortCode: 'sale', suggestion: 'sale-2', ...taken },
      { shortCode: 'x', suggestion: 'x-2', ...taken },
    ].map(it => [`/${it.shortCode}`, it]),
  )

  it('is left out', () => {
    const planned = planOf(drafts, conflicts, 'skip')
    expect(planned.map(({ problem }) => problem)).toEqual([
      'Already taken.',
      undefined,
      'Already taken.',
    ])
  })

  it('gets another code, which no other row has', () => {
    const planned = planOf(drafts, conflicts, 'other')
    expect(planned.map(({ said, instead }) => [said.short_code, instead])).toEqual([
      [undefined, 'sale'],
      ['sale-2', undefined],
      ['x-2', 'x'],
    ])
    expect(planned.map(it => it.problem)).toEqual([undefined, undefined, undefined])
    expect(drafts.map(codeKey)).toEqual(['/sale', '/sale-2', '/x'])
  })
})
