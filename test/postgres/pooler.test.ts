import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { inspectServer, openDatabase } from '../../core/storage/open/open-database.ts'
import { isOfOurs, serversOn } from '../../core/storage/servers.ts'
import { server, url } from './own-server.ts'

const isInstalled = spawnSync('pgbouncer', ['--version']).error === undefined

/** The address of a new database behind a pooler; the pooler ends with the test. */
async function behindPooler(mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const database = new URL(url).pathname
  const folder = mkdtempSync(join(tmpdir(), 'linnet-pooler-'))
  chmodSync(folder, 0o777)
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]\n* = host=${server.folder} user=linnet\n[pgbouncer]\npool_mode = ${mode}\n` +
      `auth_type = any\nunix_socket_dir = ${folder}\nlisten_port = 6432\ndefault_pool_size = 40\n`,
  )
  // The pooler refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const pooler = spawn('pgbouncer', ['-q', settings], { ...user, stdio: 'ignore' })
  onTestFinished(async () => {
    const ended = once(pooler, 'exit')
    pooler.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true })
  })
  const pooled = `postgres://linnet@${encodeURIComponent(folder)}:6432${database}`
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: pooled })
    client.on('error', () => undefined)
    const isReady = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end()
    if (isReady) return pooled
    if (tries > 100) throw new Error('The pooler does not start.')
    await delay(50)
  }
}

it.skipIf(!isInstalled)('a pooler in session mode lets Linnet serve', async () => {
  const url = await behindPooler('session')
  await inspectServer(url)
  const { db, canFollow, news, close } = await openDatabase({ url }, { serves: true })
  expect(await canFollow()).toBe(true)
  const { ms } = await db
    .selectNoFrom(({ fn, val }) => fn<string>('current_setting', [val('lock_timeout')]).as('ms'))
    .executeTakeFirstOrThrow()
  expect(ms).toBe('8s')
  expect(news.isHeard()).toBe(true)
  expect(await serversOn(db)).toHaveLength(1)
  const told = Promise.withResolvers<number>()
  news.on('it', (_, teller = 0) => told.resolve(teller))
  await news.tell(db, 'it', 'something')
  expect(await isOfOurs(db, await told.promise)).toBe(true)
  await close()
})

it.skipIf(!isInstalled).each(['transaction', 'statement'] as const)(
  'one in %s mode is refused, however quiet it is',
  async mode => {
    const url = await behindPooler(mode)
    for (const attempt of [() => inspectServer(url), () => openDatabase({ url }, {})]) {
      await expect(attempt()).rejects.toThrow(`A pooler in ${mode} mode is between Linnet`)
    }
  },
)
