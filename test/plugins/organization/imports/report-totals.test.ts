import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { makeImports } from '../../../../plugins/organization/imports/make-imports.ts'
import {
  type Item,
  type Source,
  SourceError,
} from '../../../../plugins/organization/imports/source.ts'
import { boot, type Harness } from '../../../harness.ts'
import { isOnServer } from '../../../open-storage.ts'

/** What the source yields now; it ends with the error. */
let items: readonly Item[] = []
let error: string | undefined
const source: Source = {
  name: 'test',
  label: 'Test',
  about: 'Yields what a test says.',
  settings: {},
  async *read() {
    yield* items
    if (error !== undefined) throw new SourceError(error)
  },
}

let linnet: Harness
let filesFolder: string
beforeEach(async () => {
  items = []
  error = undefined
  filesFolder = mkdtempSync(join(tmpdir(), 'linnet-imports-'))
  linnet = await boot([makeImports([source])], { at: '2026-11-20T12:00:00Z', filesFolder })
})
afterEach(async () => {
  await linnet.stop()
  rmSync(filesFolder, { recursive: true })
})

const refused = (row: string): Item => ({ kind: 'refused', row, reason: 'It is no URL.' })
const note = (row: string): Item => ({ kind: 'note', row, sentence: 'It is noted.' })
const show = async (id: string) => (await linnet.api('GET', `/imports/${id}`)).body.data
async function ended(id: string) {
  await expect.poll(async () => (await show(id)).state).toMatch(/done|stopped|failed/)
  return show(id)
}
async function run(body: object = {}): Promise<string> {
  const { id } = (await linnet.api('POST', '/imports', { source: 'test', ...body })).body.data
  await ended(id)
  return id
}
async function resume(id: string) {
  expect((await linnet.api('POST', `/imports/${id}/resume`, {})).status).toBe(200)
  return ended(id)
}
const list = async (id: string, query = '') =>
  (await linnet.api('GET', `/imports/${id}/rows?per_page=50${query}`)).body
const totals = (id: string) =>
  Promise.all(
    ['', '&outcome=refused', '&outcome=note', '&outcome=kept'].map(
      async query => (await list(id, query)).meta.total,
    ),
  )
/** As if the report had so many rows more. */
const report = (column: string, count: number) =>
  linnet.db
    .updateTable('organization_imports' as never)
    .set({ [`reported_${column}`]: count } as never)
    .execute()

it('the rows of a report are counted when they are written, and each once, however often it is read', async () => {
  items = [refused('1'), refused('2'), note('3')]
  error = 'It does not answer.'
  const id = await run()
  expect(await totals(id)).toEqual([3, 2, 1, 0])
  items = [...items, refused('4')]
  error = undefined
  expect((await resume(id)).progress.refused).toBe(3)
  expect(await totals(id)).toEqual([4, 3, 1, 0])
})

it('they are no more when they are deleted: of a dry import that goes on for good, and after three months', async () => {
  items = [refused('1'), refused('2'), note('3')]
  const id = await run({ dryRun: true })
  items = [refused('4')]
  await resume(id)
  expect(await totals(id)).toEqual([1, 1, 0, 0])
  linnet.at('2027-02-20T12:00:00Z')
  await linnet.run('organization.imports.tidy')
  expect([await totals(id), (await list(id)).data]).toEqual([[0, 0, 0, 0], []])
})

it('nobody counts the rows that are there', async () => {
  items = [note('1')]
  const id = await run()
  await report('note', 12_345)
  expect(await totals(id)).toEqual([12_345, 0, 12_345, 0])
})

it('a report has fifty thousand rows of each outcome, says so in one more, and the other outcomes come', async () => {
  items = [note('1'), refused('2')]
  error = 'It does not answer.'
  const id = await run()
  await report('note', 49_999)
  items = [note('1'), note('3'), note('4'), note('5'), refused('6')]
  await resume(id)
  const rows = async () =>
    (await list(id)).data.map((it: { outcome: string; row: string }) => `${it.outcome} ${it.row}`)
  const all = ['note 1', 'refused 2', 'note 3', 'note report', 'refused 6']
  expect(await rows()).toEqual(all)
  expect((await list(id)).data[3].sentence).toBe(
    'There are more: a report has room for 50,000 rows of each kind.',
  )
  expect(await totals(id)).toEqual([50_003, 2, 50_001, 0])
  items = [note('7'), ...items]
  await resume(id)
  expect(await rows()).toEqual(all)
})

it('rows that cannot be read end an import when its report is full, also one that goes on again and again', async () => {
  items = [refused('1')]
  error = 'It does not answer.'
  const id = await run()
  await report('refused', 150_000)
  items = [refused('2')]
  error = undefined
  expect(await resume(id)).toMatchObject({
    state: 'failed',
    sentence: expect.stringContaining('rows cannot be read'),
  })
  expect(await totals(id)).toEqual([150_000, 150_000, 0, 0])
})

test.skipIf(isOnServer)('rows of one outcome are found by an index, in their order', async () => {
  const { rows } = await sql<{ detail: string }>`explain query plan
    select * from organization_imports_rows
    where import_id = 1 and outcome = 'note' order by number limit 51`.execute(linnet.db)
  expect(rows.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('INDEX organization_imports_rows_outcome (import_id=? AND outcome=?)'),
  ])
})
