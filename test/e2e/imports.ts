import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root, temporaryFolder } from './program.ts'
import type { Server } from './server.ts'

/** A data folder with the plugin that imports links. */
export function folderWithImporter(): string {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  cpSync(join(root, 'examples/importer.ts'), join(dataDir, 'plugins/importer.ts'))
  return dataDir
}

const daysOf = (month: number) =>
  Array.from({ length: 28 }, (_, day) => ({
    day: new Date(Date.UTC(2024, month, day + 1)).toISOString().slice(0, 10),
    visits: 10,
    countries: { DE: 6, AT: 3 },
  }))

/** What one link brings, without and with dates, with it and afterwards. */
const undated = 1_000
const parts = 4
const dated = (parts + 1) * 28 * 10

export const links = 12

/** How many visits all links together bring. */
export const brought = { undated: links * undated, dated: links * dated }

/**
 * Imports every link and all of its visits, as a program does that begins anew: what is there already is not its business.
 * Calls `onStep` after each request.
 */
export async function importAll(
  server: Server,
  onStep: () => void = () => undefined,
): Promise<void> {
  await Promise.all(
    Array.from({ length: links }, async (_, number) => {
      const line = {
        ...{ url: 'https://example.com/', code: `link-${number}` },
        ...{ visits: undated + 28 * 10, days: daysOf(0) },
      }
      const imported = await server.api('POST', '/import/lines', { lines: JSON.stringify(line) })
      expect(imported.status).toBe(200)
      onStep()
      const { body } = await server.api('GET', `/links/lookup?short_code=link-${number}`)
      for (let part = 1; part <= parts; part += 1) {
        const days = { part: `${part}`, days: daysOf(part) }
        const added = await server.api('POST', `/import/links/${body.data.id}/days`, days)
        expect(added.status).toBe(200)
        onStep()
      }
    }),
  )
}

/** Reads what became of it, in every place that tells. */
export async function expectAllBrought(server: Server): Promise<void> {
  const total = undated + dated
  const visits = async () =>
    (await server.api('GET', '/links?per_page=100')).body.data.map(
      (it: { visits: object }) => it.visits,
    )
  await expect.poll(visits).toMatchObject(Array.from({ length: links }, () => ({ total, undated })))
  const { data } = (await server.api('GET', '/analytics?interval=all&granularity=month')).body
  expect(data).toMatchObject({ totals: { visits: brought.dated }, undated: brought.undated })
  const sum = (rows: readonly { readonly visits: number }[]) =>
    rows.reduce((sum, it) => sum + it.visits, 0)
  expect(sum(data.visitsOverTime)).toBe(brought.dated)
  const countries = data.visitsByCountry.map((it: { value: string; visits: number }) => [
    it.value,
    it.visits,
  ])
  expect(Object.fromEntries(countries)).toEqual({
    ...{ DE: brought.dated * 0.6, AT: brought.dated * 0.3, '(none)': brought.dated * 0.1 },
  })
}
