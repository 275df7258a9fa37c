import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { linnet } from '../../../../../plugins/organization/imports/sources/linnet.ts'
import { conforms } from '../conformance.ts'
import { itemsOf, ofKind } from '../from-text.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../../../docs/export.md'), 'utf8')
const [, example = ''] = /```jsonl\n([\s\S]*?)```/.exec(page) ?? []
/** As deep as a reader of JSON goes, and deeper than one that checks it. */
const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
const lines = example.trimEnd().split('\n')

const folder = mkdtempSync(join(tmpdir(), 'linnet-source-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'all.jsonl')
writeFileSync(file, example)
conforms(linnet, { file })

/** The example with some lines changed or left out. */
const changed = (change: (line: string) => string | undefined) =>
  lines.flatMap(line => change(line) ?? []).join('\n')

const linkLine = (more: object) =>
  changed(line => {
    const read = JSON.parse(line)
    return read.kind === 'link' ? JSON.stringify({ ...read, ...more }) : line
  })

const linkIn = async (text: string) => ofKind(await itemsOf(linnet, text), 'link')[0]

describe('an export of Linnet', () => {
  it('brings each link with what belongs to it', async () => {
    const items = await itemsOf(linnet, example)
    expect(ofKind(items, 'refused')).toEqual([])
    expect(ofKind(items, 'link')).toMatchObject([
      {
        ...{ host: null, code: 'größe', formerCodes: ['groesse'], tags: ['Spring'], visits: 20 },
        ...{ campaign: 'Sale', password: { hash: expect.stringMatching(/^\$2b\$10\$/) } },
        fields: { originalUrl: 'https://example.com/?q=1', title: 'Spring sale', maxVisits: 100 },
        lastVisitAt: new Date('2026-11-26T11:58:00Z'),
      },
    ])
    expect(ofKind(items, 'link')[0]).not.toHaveProperty('changes')
    expect(ofKind(items, 'counts')[0]?.counts[1]).toEqual({
      ...{ at: '2026-04-01', visits: 0, by: { uniqueVisitors: 6 } },
    })
  })

  it('brings no link with a password without it', async () => {
    const items = await itemsOf(linnet, linkLine({ hashed: undefined }))
    expect(ofKind(items, 'link')).toEqual([])
    expect(ofKind(items, 'refused')).toMatchObject([
      { row: 'line 5', reason: expect.stringContaining('with --hashes') },
    ])
  })

  it('leaves as many visits of a limit as there were, and says so', async () => {
    const later = await linkIn(linkLine({ shown: { hasPassword: true, visitsLeft: 95 } }))
    expect(later?.fields.maxVisits).toBe(115)
    expect(later?.changes).toEqual([expect.stringContaining('so that 95 are left')])
  })

  it('names codes on other hosts, which do not come', async () => {
    const elsewhere = [{ host: 'old.example.org', code: 'x' }]
    const link = await linkIn(linkLine({ formerCodesElsewhere: elsewhere }))
    expect(link?.changes).toEqual([expect.stringContaining('old.example.org/x led to it')])
  })

  it.each([
    ['nothing', '', /ends after 0 lines without its last one/],
    ['another file', 'a,b,c\n1,2,3', /This is no export of Linnet/],
    ['another JSON file', '{"kind":"link"}', /This is no export of Linnet/],
    ['one of a later version', '{"kind":"export","version":2}', /update Linnet/],
    ['one that was cut off', lines.slice(0, -1).join('\n'), /was cut off/],
    ['half a line', example.slice(0, -8), /was cut off/],
    ['two in one', example + example, /stands behind the end/],
  ])('is no export: %s', async (_, text, message) => {
    await expect(itemsOf(linnet, text)).rejects.toThrow(message)
  })

  it.each([
    ['no JSON', 'This is no line of an export of Linnet.'],
    [
      `{"kind":"tag","name":${nested},"color":"#112233"}`,
      'This is no line of an export of Linnet.',
    ],
    ['{"kind":"moods"}', expect.stringContaining('at kind')],
    ['{"kind":"tag","name":5,"color":"#112233"}', expect.stringContaining('at name')],
  ])('goes on after a line that is wrong: %.60s', async (line, reason) => {
    const text = changed(it => (it.includes('"tag"') ? line : it))
    const items = await itemsOf(linnet, text)
    expect(ofKind(items, 'refused')).toEqual([{ kind: 'refused', row: 'line 3', reason }])
    expect(ofKind(items, 'link')).toHaveLength(1)
  })
})
