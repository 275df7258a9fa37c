import { describe, expect, it } from 'vitest'
import { describePlugin } from '../../../../core/kernel/load/manifest.ts'
import type { Registry } from '../../../../core/plugin.ts'
import type { Link } from '../../../../plugins/dashboard/web/api/links/links.ts'
import { linksFiles } from '../../../../plugins/dashboard/web/pages/links/bulk/links-file.ts'
import {
  guessColumns,
  targetsIn,
} from '../../../../plugins/dashboard/web/pages/links/import/columns.ts'
import { draftsOf } from '../../../../plugins/dashboard/web/pages/links/import/drafts.ts'
import { planOf } from '../../../../plugins/dashboard/web/pages/links/import/plan.ts'
import {
  momentIn,
  namesIn,
  numberIn,
  valueIn,
} from '../../../../plugins/dashboard/web/pages/links/import/read-cell.ts'
import { codeKey } from '../../../../plugins/dashboard/web/pages/links/import/read-conflicts.ts'
import { readTable } from '../../../../plugins/dashboard/web/pages/links/import/read-table.ts'
import { readCsv } from '../../../../plugins/dashboard/web/shared/text/csv.ts'
import { registry } from '../../../../plugins/index.ts'
import { targets } from '../../../../plugins/organization/imports/reading/column-names.ts'
import { leftOut, readColumns } from '../../../../plugins/organization/imports/reading/columns.ts'

const ours: Registry = registry
const plugins = await Promise.all(Object.values(ours).map(load => load()))
const manifest = plugins.map(it => describePlugin(it.default, true))
const possible = targetsIn(manifest)
const target = (name: string) => possible.find(it => it.name === name) ?? null

const cellsOf = (text: string) => readTable(text).rows.map(({ cells }) => cells)
const columnsOf = (text: string) => guessColumns(readTable(text), possible)
const guess = (text: string) => columnsOf(text).map(it => it?.name ?? null)

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
    ['Original URL,Short code,Title,Tags', ['originalUrl', 'code', 'title', 'tags']],
    ['long_url,slashtag,Clicks', ['originalUrl', 'code', null]],
    ['Destination URL,key,Comments,url', ['originalUrl', 'code', 'notes', null]],
  ])('%s are known by their names', (head, columns) => {
    expect(guess(`${head}\nhttps://example.com/,a,b,c`).slice(0, columns.length)).toEqual(columns)
  })

  it('are known by what is in them', () => {
    expect(guess('who,where\nAda,https://example.com/')).toEqual([null, 'originalUrl'])
    expect(guess('"spring","https://example.com/","x"')).toEqual(['code', 'originalUrl', null])
    expect(guess('spring https://example.com/')).toEqual(['originalUrl', 'code'])
  })

  it('are none that the account may not set', () => {
    const table = readTable('url,code\nhttps://example.com/,spring')
    const some = possible.filter(({ name }) => name !== 'code')
    expect(guessColumns(table, some)).toEqual([target('originalUrl'), null])
  })

  it('are all that the form for a new link has, but for rules, and imports know each', () => {
    const fields = manifest.flatMap(it => it.fields).filter(it => it.when !== 'edit')
    const known = new Set(possible.map(({ field }) => field.shownAs))
    expect(fields.map(({ name }) => name).filter(name => !known.has(name))).toEqual([
      'dynamicRouting',
    ])
    expect(
      possible.map(({ name }) => name).filter(it => !targets.some(name => name === it)),
    ).toEqual([])
  })

  it('are those that an export has, here as in an import of CSV, with which a link keeps its bounds', () => {
    const link = {
      originalUrl: 'https://example.com/',
      startsAt: '2026-11-20T13:00:00.000Z',
      ...{ maxVisits: 5, expiredUrl: 'https://example.com/late', confirm: true },
      visits: { total: 7 },
    } as Link
    const { start, part } = linksFiles.csv
    const text = start + part([link], true)
    const [head = []] = readCsv(text)
    expect(leftOut(head, readColumns(head))).toEqual([
      ...['visits_without_date', 'visits_from_qr_codes', 'visits_left'],
    ])
    const columns = columnsOf(text).filter(it => it !== null)
    const [draft] = draftsOf(readTable(text).rows, columnsOf(text))
    const values = columns.flatMap(({ name, field }) => {
      const cell = draft?.said[name]
      return cell === undefined ? [] : [[field.name, valueIn(cell, field)]]
    })
    expect(Object.fromEntries(values)).toEqual({
      original_url: 'https://example.com/',
      starts_at: '2026-11-20T13:00:00.000Z',
      ...{ max_visits: 5, expired_url: 'https://example.com/late', confirm: true },
    })
  })

  it('have the name of a field where a plugin of somebody else adds one', () => {
    const [first] = manifest.filter(it => it.fields.some(({ name }) => name === 'externalId'))
    const fields = first?.fields.map(it => ({ ...it, name: 'ribbonColor', label: 'Ribbon' })) ?? []
    const others = targetsIn(first ? [{ ...first, feature: 'acme.wrap', fields }] : [])
    const table = readTable('url,Ribbon color\nhttps://example.com/,red')
    expect(guessColumns(table, others).map(it => it?.label)).toEqual(['Original URL', 'Ribbon'])
  })

  it('are the long URL and not the link beside it, in whichever order', () => {
    expect(guess('Link,Long URL,Title\nhttps://go.example/a,https://example.com/,A')).toEqual([
      null,
      'originalUrl',
      'title',
    ])
    expect(guess('Link,Title\nhttps://example.com/,A')).toEqual(['originalUrl', 'title'])
  })
})

describe('a row', () => {
  const problems = (text: string) =>
    draftsOf(readTable(text).rows, columnsOf(text), [], readTable(text).head).map(
      ({ problem }) => problem,
    )

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
    const drafts = draftsOf(rows, [target('originalUrl'), target('code'), null], [], head)
    expect(drafts.map(({ problem }) => problem)).toEqual([
      'It has a password, which is not in the file.',
      undefined,
    ])
    expect(problems('url,Has password,password\nexample.com/a,true,secret')).toEqual([undefined])
  })

  it('comes where the file says that it has no password, and not where nobody can tell what it says', () => {
    const cells = ['false', 'FALSE', 'no', '0', 'ja', 'x']
    const rows = cells.map(cell => `example.com/a,${cell}`)
    const table = readTable(['url,has_password', ...rows].join('\n'))
    const drafts = draftsOf(table.rows, [target('originalUrl'), null], [], table.head)
    expect(drafts.map(({ problem }) => problem === undefined)).toEqual([
      ...[true, true, true, true],
      ...[false, false],
    ])
  })

  it('keeps the spaces of its password, and says that it comes without its routing rules', () => {
    const { head, rows } = readTable(
      'url, password ,has_rules\n example.com/a ,"  pass word ",true\nexample.com/b,"  ",\nexample.com/c,,false',
    )
    const drafts = draftsOf(rows, [target('originalUrl'), target('password'), null], [], head)
    expect(drafts.map(({ said, hasRules }) => [said.password, hasRules])).toEqual([
      ['  pass word ', true],
      [undefined, false],
      [undefined, false],
    ])
  })

  it('keeps the spaces of its password also in a column that a person chose for it, and of nothing else', () => {
    const { head, rows } = readTable('Ziel,Kennwort,Name\n example.com/a ,"  pass word "," A "')
    const columns = ['originalUrl', 'password', 'title'].map(target)
    const [draft] = draftsOf(rows, columns, [], head)
    expect(draft?.said).toEqual({
      ...{ originalUrl: 'https://example.com/a', password: '  pass word ', title: 'A' },
    })
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
    const columns = guessColumns(table, possible, schemes)
    expect(columns).toEqual(['originalUrl', 'code'].map(target))
    const problem = (it: string) =>
      draftsOf([{ number: 1, cells: [it] }], [target('originalUrl')], schemes)[0]?.problem
    expect(problem('mailto:ada@example.org')).toBe(undefined)
    expect(['tel:+4989123', 'ada@example.org', 'javascript:alert(1)'].map(problem)).toEqual(
      Array(3).fill('The URL must begin with http://, https://, mailto:, or myapp:.'),
    )
    const row = { number: 1, cells: ['mailto:ada@example.org'] }
    const [alone] = draftsOf([row], [target('originalUrl')])
    expect(alone?.problem).toBe('The URL must begin with http:// or https://.')
  })

  it.each([
    ['2027-03-01T12:00:00Z', '2027-03-01T12:00:00.000Z'],
    ['2027-03-01 12:00+02:00', '2027-03-01T10:00:00.000Z'],
    ['2027-03-01', new Date(2027, 2, 1).toISOString()],
    ['2027-03-01 12:00', new Date(2027, 2, 1, 12).toISOString()],
    ['2027-13-01', undefined],
    ['2027-02-29', undefined],
    ['2028-02-29', new Date(2028, 1, 29).toISOString()],
    ['2027-02-30 10:00+02:00', undefined],
    ['31.04.2027', undefined],
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
    const others = ['1.000', '1,000', '0x10', '1e3', '', 'Infinity']
    expect(others.map(it => numberIn(it))).toEqual(others)
    const maxVisits = target('maxVisits')?.field
    expect(maxVisits && valueIn('1.000', maxVisits)).toBe('1.000')
    expect(maxVisits && valueIn('1000', maxVisits)).toBe(1_000)
    const columns = guess('url,redirect_status,Redirect cache seconds\nexample.com,301,60')
    expect(columns).toEqual(['originalUrl', 'redirectStatus', 'redirectCacheSeconds'])
    expect(guess('original_url,paths,path')).toEqual(['originalUrl', 'paths', 'code'])
  })

  it('has what is on or off, and a word that is neither is left to the API', () => {
    const field = target('confirm')?.field
    const read = (text: string) => field && valueIn(text, field)
    expect(['true', 'Yes', '1', 'no', 'maybe'].map(read)).toEqual([
      true,
      true,
      true,
      false,
      'maybe',
    ])
  })

  it('has names with commas, semicolons or bars between them, each once', () => {
    expect(namesIn('Print, Fair; Print ,')).toEqual(['Print', 'Fair'])
    expect(namesIn('Print | Fair, Rome|Print | ')).toEqual(['Print', 'Fair, Rome'])
  })
})

describe('a row whose code is not free', () => {
  const text = 'sale https://example.com/a\nsale-2 https://example.com/b\nx https://example.com/c'
  const drafts = draftsOf(readTable(text).rows, columnsOf(text))
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
    expect(planned.map(({ said, instead }) => [said.code, instead])).toEqual([
      [undefined, 'sale'],
      ['sale-2', undefined],
      ['x-2', 'x'],
    ])
    expect(planned.map(it => it.problem)).toEqual([undefined, undefined, undefined])
    expect(drafts.map(codeKey)).toEqual(['/sale', '/sale-2', '/x'])
  })
})
