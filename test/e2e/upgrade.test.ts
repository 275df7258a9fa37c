import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { expectedFile, openSqlite } from '../inside.ts'
import { killInStep } from './kill-in-step.ts'
import { root, start, temporaryFolder } from './program.ts'
import { serve, serverEnv } from './server.ts'

const fixtures = globSync('test/fixtures/*.db.gz', { cwd: root })

/** https://sqlite.org/fileformat2.html#user_version_number */
const schemaOf = (database: Buffer) => database.readUInt32BE(60)

function codesIn(file: string): readonly string[] {
  const database = new BetterSqlite3(file, { readonly: true })
  const codes = database
    .prepare(`select code from short_codes where domain = '' and link_id is not null`)
    .pluck()
    .all()
  database.close()
  return codes as string[]
}

/** Starts the program and kills it as soon as this path exists, or the server is ready. */
async function killOnce(dataDir: string, path: string): Promise<void> {
  const { child, exit } = start(['serve'], { env: serverEnv(dataDir) })
  let isReady = false
  child.stdout.once('data', () => {
    isReady = true
  })
  while (!isReady && !existsSync(join(dataDir, path))) await delay(1)
  child.kill('SIGKILL')
  await exit
}

it('knows a database of every schema that was released', () => {
  const newest = fixtures.map(it => schemaOf(gunzipSync(readFileSync(join(root, it)))))
  expect(Math.max(...newest)).toBe(expectedFile.newest)
})

itAtNight.each(fixtures)(
  'goes on from %s, also when it is killed meanwhile, and can go back',
  async it => {
    const dataDir = temporaryFolder()
    const file = join(dataDir, 'linnet.db')
    const before = gunzipSync(readFileSync(join(root, it)))
    writeFileSync(file, before)
    const codes = codesIn(file)
    for (const path of ['linnet.lock', 'backups']) await killOnce(dataDir, path)

    const server = await serve({ dataDir, admin: false })
    for (const code of codes) {
      const { status } = await server.get(`/${code}`)
      expect([code, status !== 404 && status < 500]).toEqual([code, true])
    }
    await server.kill('SIGTERM')
    expect(codes.length).toBeGreaterThan(4)
    expect(schemaOf(readFileSync(file))).toBe(expectedFile.newest)

    const isOld = schemaOf(before) < expectedFile.newest
    const copies = existsSync(join(dataDir, 'backups')) ? readdirSync(join(dataDir, 'backups')) : []
    const whole = copies.filter(name => /^before-schema-\d+-[\w-]+\.db$/.test(name))
    const schemas = whole.map(name => schemaOf(readFileSync(join(dataDir, 'backups', name))))
    expect([...new Set(schemas)]).toEqual(isOld ? [schemaOf(before)] : [])
  },
)

itAtNight(
  'the older version serves a database as before, although a newer one was killed in the middle of a step of its schema',
  async () => {
    const dataDir = temporaryFolder()
    const file = join(dataDir, 'linnet.db')
    await (await openSqlite(file)).close()
    await killInStep({ file })
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([
      expect.stringMatching(/^before-schema-2-/),
    ])

    const server = await serve({ dataDir })
    const made = await server.api('POST', '/links', { original_url: 'https://example.com/' })
    expect(made.status).toBe(201)
    await server.kill('SIGTERM')
    expect(schemaOf(readFileSync(file))).toBe(1)
    const database = new BetterSqlite3(file, { readonly: true })
    const columns = database.prepare(`select name from pragma_table_info('links')`).pluck().all()
    database.close()
    expect(columns).not.toContain('moody')
  },
)
