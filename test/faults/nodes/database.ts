import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { findPrograms } from '../../postgres/server.mjs'
import type { Host, Network } from './network.ts'

/** A PostgreSQL server on its own host. */
export interface DatabaseServer {
  readonly host: Host
  /** The folder of its data. */
  readonly folder: string
  /** Runs a query at its own address. */
  ask(sql: string): Promise<Record<string, unknown>[]>
  /** Ends the server and all connections: SIGINT in order, SIGKILL as in a crash. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  resume(): Promise<void>
}

/** A primary, a standby that follows it, and an address that moves to the current primary. */
export interface DatabasePair {
  readonly primary: DatabaseServer
  readonly standby: DatabaseServer
  /** The address of the primary for nodes. */
  readonly url: string
  readonly address: string
  /** Promotes the standby to primary, as Patroni, repmgr or an admin does. */
  promote(): Promise<void>
}

/** Why no server can run here; undefined if one can. */
export const noServer = findPrograms() ? undefined : 'PostgreSQL is not installed'

/** PostgreSQL refuses to run as root. */
const nobody = 65_534
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']

/** If `isSynchronous`, the primary answers a commit only once the standby has it too. */
export async function startPair(
  network: Network,
  { isSynchronous = true } = {},
): Promise<DatabasePair> {
  const address = network.addressOf(200)
  const primary = await startServer(network.host(), folder => {
    run('initdb', ['-D', folder, '-U', 'linnet', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
    const anyone = ['all', 'replication'].map(what => `host ${what} all 10.0.0.0/8 trust\n`)
    appendFileSync(join(folder, 'pg_hba.conf'), anyone.join(''))
  })
  primary.host.take(address)
  await primary.end('SIGINT')
  const standby = await startServer(network.host(), folder => {
    execFileSync('cp', ['-a', primary.folder, folder])
    writeFileSync(join(folder, 'standby.signal'), '')
    const conninfo = `primary_conninfo = 'host=${primary.host.address} user=linnet'\n`
    appendFileSync(join(folder, 'postgresql.conf'), conninfo)
  })
  await primary.resume()
  await primary.ask('create database links')
  if (isSynchronous) {
    await primary.ask("alter system set synchronous_standby_names = '*'")
    await primary.ask('select pg_reload_conf()')
  }
  return {
    primary,
    standby,
    address,
    url: `postgres://linnet@${address}/links`,
    async promote() {
      await standby.ask('select pg_promote()')
      standby.host.take(address)
    },
  }
}

async function startServer(host: Host, fill: (folder: string) => void): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-nodes-'))
  const data = join(folder, 'data')
  const [ip = 'ip', ...within] = host.through
  let child: ChildProcess | undefined
  onTestFinished(async () => {
    await end('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o755)
  chownSync(folder, nobody, nobody)
  fill(data)
  const settings = {
    listen_addresses: '*',
    unix_socket_directories: folder,
    max_connections: '200',
    // The primary notices when a standby is gone, and nothing waits for a checkpoint.
    wal_sender_timeout: '5s',
    wal_keep_size: '1GB',
    checkpoint_timeout: '1h',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

  async function ask(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: `postgres://linnet@${host.address}/postgres` })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  async function resume(): Promise<void> {
    const server = spawn(ip, [...within, ...asNobody, program('postgres'), '-D', data, ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', process.env.LINNET_TEST_LOG ? 'inherit' : 'ignore'],
    })
    child = server
    for (let tries = 0; ; tries += 1) {
      try {
        return void (await ask('select 1'))
      } catch (error) {
        if (server.exitCode !== null || tries > 200) throw error
        await delay(50)
      }
    }
  }

  async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const server = child
    child = undefined
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    if (signal === 'SIGKILL') {
      // All at once: a child that outlives the first process would end in order.
      server.kill('SIGSTOP')
      for (const pid of childrenOf(server.pid)) kill(pid)
    }
    server.kill(signal)
    await ended
  }

  await resume()
  return { host, folder: data, ask, end, resume }
}

function childrenOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return listed.trim().split(/\s+/).map(Number)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It had already ended.
  }
}

function program(name: string): string {
  return join(findPrograms() ?? '', name)
}

function run(name: string, args: readonly string[]): void {
  execFileSync(program(name), args, { uid: nobody, gid: nobody, cwd: tmpdir(), stdio: 'pipe' })
}
