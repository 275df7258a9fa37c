import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** The folder with the programs of a PostgreSQL server; undefined if there is none. */
export function findPrograms() {
  const root = '/usr/lib/postgresql'
  const ofDebian = existsSync(root)
    ? readdirSync(root)
        .sort((a, b) => Number(b) - Number(a))
        .map(version => join(root, version, 'bin'))
    : []
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...ofDebian]
  return folders.find(
    folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  )
}

/** PostgreSQL refuses to run as root, so it runs as a user without rights. */
const nobody = 65_534

/** A folder for PostgreSQL, and the user to run its programs as. */
function ownFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-postgres-'))
  chmodSync(folder, 0o755)
  if (process.getuid?.() !== 0) return { folder, user: {} }
  chownSync(folder, nobody, nobody)
  return { folder, user: { uid: nobody, gid: nobody } }
}

/** Makes the files of a server: `LINNET_TEST_CLUSTER` has others copy them, which takes a tenth of the time. */
export function makeCluster(programs) {
  const { folder, user } = ownFolder()
  fillCluster(join(folder, 'data'), programs, user)
  return folder
}

function fillCluster(data, programs, user) {
  const made = process.env.LINNET_TEST_CLUSTER
  if (made) return execFileSync('cp', ['-a', join(made, 'data'), data])
  const options = ['--username', 'linnet', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync']
  const run = { ...user, cwd: dirname(data), stdio: 'pipe' }
  return execFileSync(join(programs, 'initdb'), ['--pgdata', data, ...options], run)
}

/**
 * Starts a server for tests in its own folder, with data that does not survive a power cut. It listens on a socket in
 * that folder and on a free port of this machine.
 */
export async function startServer(programs, { settings = {}, port } = {}) {
  const { folder, user } = ownFolder()
  const data = join(folder, 'data')
  fillCluster(data, programs, user)
  const all = {
    unix_socket_directories: folder,
    listen_addresses: port === undefined ? '' : '127.0.0.1',
    ...(port !== undefined && { port }),
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 300,
    autovacuum: 'off',
    ...settings,
  }
  const start = () =>
    spawn(
      join(programs, 'postgres'),
      ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...user,
        cwd: folder,
        stdio: ['ignore', 'ignore', process.env.LINNET_TEST_LOG ? 'inherit' : 'ignore'],
      },
    )
  const url = database =>
    port === undefined
      ? `postgres://linnet@${encodeURIComponent(folder)}/${database}`
      : `postgres://linnet@127.0.0.1:${port}/${database}`
  let child = start()
  await untilReady()

  async function untilReady() {
    for (let tries = 0; ; tries += 1) {
      const client = new pg.Client({ connectionString: url('postgres') })
      client.on('error', () => undefined)
      try {
        await client.connect()
        await client.end()
        return
      } catch (error) {
        if (child.exitCode !== null || tries > 200) throw error
        await delay(50)
      }
    }
  }

  async function end(signal) {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  return {
    folder,
    /** The address of a database; by default the one that always exists. */
    url: (database = 'postgres') => url(database),
    /** SIGINT ends all connections; SIGKILL ends only the first process. */
    pause: (signal = 'SIGINT') => end(signal),
    async resume() {
      child = start()
      await untilReady()
    },
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
