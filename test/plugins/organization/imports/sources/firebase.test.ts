import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { firebase } from '../../../../../plugins/organization/imports/sources/firebase.ts'
import { conforms } from '../conformance.ts'
import { itemsOf, ofKind } from '../from-text.ts'

const head = [
  ...[
    'Short link',
    'Deep link (link)',
    'Android package name (apn)',
    'Android fallback link (afl)',
  ],
  ...[
    'Android minimum package version code (amv)',
    'iOS bundle ID (ibi)',
    'iOS fallback link (ifl)',
  ],
  ...['iOS custom scheme (ius)', 'iPad fallback link (ipfl)', 'iPad bundle ID (ipbi)'],
  ...['iOS app store ID (isi)', 'iOS minimum version (imv)', 'Enable forced redirect? (efr)'],
  ...['Desktop fallback link (ofl)', 'Social title (st)', 'Social description (sd)'],
  ...[
    'Social image link (si)',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_term',
    'utm_content',
  ],
  ...['iTunes Connect at', 'ct', 'mt', 'pt', 'Archived?', 'Link name', 'Creation timestamp'],
]

/** A row with these cells, by the names of their columns. */
function row(cells: Readonly<Record<string, string>>): string {
  return head.map(name => cells[name] ?? '').join(',')
}

const full = {
  'Short link': 'https://go.example.com/Ab1c',
  'Deep link (link)': 'https://example.com/',
  'Android package name (apn)': 'com.example.app',
  'Android fallback link (afl)': 'https://example.com/android',
  'iOS fallback link (ifl)': 'https://example.com/ios',
  'iPad fallback link (ipfl)': 'https://example.com/ipad',
  'Desktop fallback link (ofl)': 'https://example.com/desktop',
  utm_source: 'letter',
  'Archived?': 'false',
  'Link name': 'Fox',
  'Creation timestamp': '2024-03-01T10:20:30Z',
}

const table = [
  head.join(','),
  row(full),
  row({ 'Short link': 'https://fox.page.link/x', 'Deep link (link)': 'https://example.com/x' }),
].join('\r\n')

const folder = mkdtempSync(join(tmpdir(), 'linnet-firebase-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'go.example.com.csv')
writeFileSync(file, table)
conforms(firebase, { file })

it('sends each platform where its fallback led, and names the columns that do not come along', async () => {
  const [left, host, link, other, ...rest] = await itemsOf(firebase, table)
  expect(left).toMatchObject({
    ...{ kind: 'note', row: 'line 1' },
    sentence: expect.stringMatching(/“Android package name \(apn\)”.*“Social title \(st\)”/),
  })
  expect(host).toMatchObject({ kind: 'host', host: 'go.example.com' })
  expect(link).toMatchObject({
    ...{ host: 'go.example.com', code: 'Ab1c', createdAt: new Date('2024-03-01T10:20:30Z') },
    fields: {
      ...{ originalUrl: 'https://example.com/', title: 'Fox', utm: { source: 'letter' } },
      dynamicRouting: {
        rules: [
          {
            ...{ name: 'iPad', originalUrl: 'https://example.com/ipad' },
            conditions: [
              { type: 'os', value: 'iOS' },
              { type: 'device', value: 'tablet' },
            ],
          },
          { name: 'iOS', originalUrl: 'https://example.com/ios' },
          { name: 'Android', originalUrl: 'https://example.com/android' },
          { name: 'Desktop', originalUrl: 'https://example.com/desktop' },
        ],
      },
    },
  })
  expect(other).toMatchObject({
    ...{ host: null, code: 'x' },
    changes: ['“fox.page.link/x” itself ends with Firebase, whose host it is.'],
  })
  expect(rest).toEqual([])
})

it('takes what is archived as archived', async () => {
  const content = [head.join(','), row({ ...full, 'Archived?': 'TRUE' })].join('\n')
  expect(ofKind(await itemsOf(firebase, content), 'link')).toMatchObject([{ isArchived: true }])
})
