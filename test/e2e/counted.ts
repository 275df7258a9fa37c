import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect } from 'vitest'
import type { Server } from './server.ts'

/**
 * Waits until the link has exactly this many visits. If updating the numbers takes long, as on a busy machine, readers
 * get older ones.
 */
export async function expectVisits(
  server: Pick<Server, 'api'>,
  id: string,
  visits: number,
): Promise<void> {
  const total = async () => (await server.api('GET', `/links/${id}`)).body.data.visits.total
  await expect.poll(total).toBe(visits)
}

/** Waits until the counts include every stored visit. */
export async function untilFolded({ dataDir }: Server): Promise<void> {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'), { readonly: true })
  const waiting = database.prepare('select count(*) from visit_batches').pluck()
  try {
    await expect.poll(() => waiting.get()).toBe(0)
  } finally {
    database.close()
  }
}
