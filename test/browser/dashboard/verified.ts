import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Instance } from '../../e2e/server.ts'

/** Adds a verified domain without asking a name server. */
export async function addVerifiedDomain(server: Instance, host: string): Promise<void> {
  await server.api('POST', '/domains', { host })
  const db = new Database(join(server.dataDir, 'linnet.db'))
  db.prepare('UPDATE organization_custom_domains SET verified_host = host WHERE host = ?').run(host)
  db.close()
}
