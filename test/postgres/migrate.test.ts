import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../core/storage/open/postgres.ts'
import { postgresHistory } from '../../core/storage/tables.ts'
import { itMigrates, versionOf, withMoods } from '../core/storage/open/migrating.ts'
import { killInStep } from '../e2e/kill-in-step.ts'
import { root } from '../e2e/program.ts'
import { create } from '../open-on-server.ts'
import { ask } from './moving.ts'
import { server, url } from './own-server.ts'

describe('the schema of a database on a server', () => {
  itMigrates({
    history: postgresHistory,
    open: history => openPostgres(url, { history }),
    openFresh: async history => openPostgres(await create(server.url()), { history }),
    async fill() {
      await ask(gunzipSync(readFileSync(join(root, 'test/fixtures/schema-1.sql.gz'))).toString())
    },
  })

  it('is as it was after a kill in the middle of a step, which the next start runs again', async () => {
    await (await openPostgres(url)).close()
    await killInStep({ url })
    await (await openPostgres(url)).close()
    const storage = await openPostgres(url, { history: withMoods(postgresHistory) })
    expect(await versionOf(storage)).toBe(2)
    await storage.close()
  })

  it('is brought up once by two servers that start at once, and both serve', async () => {
    await (await openPostgres(url)).close()
    const history = withMoods(postgresHistory)
    const servers = await Promise.all(
      [1, 2].map(() => openPostgres(url, { history, serves: true })),
    )
    for (const storage of servers) {
      expect(await versionOf(storage)).toBe(2)
      expect(await storage.canFollow()).toBe(true)
    }
    await Promise.all(servers.map(storage => storage.close()))
  })

  it('does not change while a server of the version before serves, which then serves no more', async () => {
    const history = withMoods(postgresHistory)
    const before = await openPostgres(url, { serves: true })
    await expect(openPostgres(url, { history })).rejects.toThrow(
      /^A server with an older Linnet is using the database of DATABASE_URL/,
    )
    expect(await versionOf(before)).toBe(1)
    await before.close()
    await (await openPostgres(url, { history })).close()
    await expect(openPostgres(url, { serves: true })).rejects.toThrow('written by a newer Linnet')
  })
})
