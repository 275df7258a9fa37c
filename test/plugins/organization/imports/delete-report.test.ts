import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { makeImports } from '../../../../plugins/organization/imports/make-imports.ts'
import type { Source } from '../../../../plugins/organization/imports/source.ts'
import { boot } from '../../../harness.ts'

const source: Source = {
  name: 'test',
  label: 'Test',
  about: 'Yields nothing.',
  settings: {},
  async *read() {
    yield* []
  },
}

/** Linnet with a dry import that has ended and has a report of a thousand rows. */
async function afterDryRun() {
  const filesFolder = mkdtempSync(join(tmpdir(), 'linnet-imports-'))
  const linnet = await boot([makeImports([source])], { at: '2026-11-20T12:00:00Z', filesFolder })
  onTestFinished(async () => {
    await linnet.stop()
    rmSync(filesFolder, { recursive: true })
  })
  const begun = await linnet.api('POST', '/imports', { source: 'test', dryRun: true })
  const path = `/imports/${begun.body.data.id}`
  await expect
    .poll(async () => (await linnet.api('GET', path)).body.data.state)
    .toMatch(/done|failed/)
  const table = 'organization_imports_rows' as 'meta'
  const imports = linnet.db.selectFrom('organization_imports' as 'accounts').select('id')
  const { id } = await imports.executeTakeFirstOrThrow()
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ import_id: id, number: 2 * at + 1, digest: `${at}` },
    ...{ outcome: 'refused', place: `line ${at}`, link: null, sentence: 'Taken.' },
  }))
  await linnet.db
    .insertInto(table)
    .values(rows as never)
    .execute()
  const left = async () => {
    const all = linnet.db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'))
    return (await all.executeTakeFirstOrThrow()).rows
  }
  /** How many rows others see while something is done. */
  async function seenWhile(work: () => Promise<unknown>): Promise<readonly number[]> {
    const seen = new Set<number>()
    let isDone = false
    const working = work().finally(() => {
      isDone = true
    })
    while (!isDone) {
      await turn()
      seen.add(await left())
    }
    await working
    return [...seen].filter(it => it > 0 && it < 1_000)
  }
  return { linnet, path, left, seenWhile }
}

it('a report of three months ago is deleted some hundred rows at a time, with turns for all others in between', async () => {
  const { linnet, left, seenWhile } = await afterDryRun()
  linnet.at('2027-02-18T11:00:00Z')
  await linnet.run('organization.imports.tidy')
  expect(await left()).toBe(1_000)
  linnet.at('2027-02-19T12:00:00Z')
  const seen = await seenWhile(() => linnet.run('organization.imports.tidy'))
  expect([seen.length >= 3, await left()]).toEqual([true, 0])
})

it('so is that of a dry import that goes on for good', async () => {
  const { linnet, path, left, seenWhile } = await afterDryRun()
  const seen = await seenWhile(async () => {
    expect((await linnet.api('POST', `${path}/resume`, {})).status).toBe(200)
  })
  expect([seen.length >= 3, await left()]).toEqual([true, 0])
})
