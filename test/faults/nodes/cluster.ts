import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { root, temporaryFolder } from '../../e2e/program.ts'
import { callsTo, type Instance, type Server, serve } from '../../e2e/server.ts'
import type { DatabasePair } from './database.ts'
import type { Host, Network } from './network.ts'

/** One of several servers on one database. */
export interface Node extends Server {
  readonly name: string
  readonly host: Host
}

/** Several nodes, and HAProxy before them. */
export interface Cluster extends Pick<Instance, 'api' | 'get'> {
  /** The address of HAProxy; its answers name the node in `x-node`. */
  readonly url: string
  readonly nodes: readonly Node[]
}

export interface ClusterOptions {
  readonly nodes?: number
  /** The database address for the nodes; by default that of the primary. */
  readonly databaseUrl?: string
  /** Settings of this node. */
  env?(node: number): Readonly<Record<string, string>>
}

const port = 8080

export async function startCluster(
  network: Network,
  database: DatabasePair,
  { nodes: wanted = 3, databaseUrl = database.url, env }: ClusterOptions = {},
): Promise<Cluster> {
  const url = `http://${network.address}:${port}`
  const nodes: Node[] = []
  for (let number = 1; number <= wanted; number += 1) {
    const host = network.host()
    const server = await serve({
      through: host.through,
      env: {
        DATABASE_URL: databaseUrl,
        LINNET_HOST: host.address,
        LINNET_PORT: String(port),
        LINNET_BASE_URL: url,
        LINNET_TRUSTED_PROXIES: '1',
        ...env?.(number),
      },
    })
    const own = `http://${host.address}:${port}`
    nodes.push({ ...server, ...callsTo(own), url: own, name: `node${number}`, host })
  }
  await startHaproxy(network, nodes)
  return { url, nodes, ...callsTo(url) }
}

async function startHaproxy(network: Network, nodes: readonly Node[]): Promise<void> {
  const file = join(temporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, haproxyConfig(network, nodes))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'pipe' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const status = async () =>
    (await fetch(`http://${network.address}:${port}/health/live`).catch(() => undefined))?.status
  await expect.poll(status).toBe(200)
}

/** The configuration from the documentation, with other addresses and without TLS. */
function haproxyConfig(network: Network, nodes: readonly Node[]): string {
  const servers = nodes.map(({ name, host }) => `    server ${name} ${host.address}:${port}\n`)
  return readFileSync(join(root, 'docs/deploy/haproxy-nodes.cfg'), 'utf8')
    .replace(/ +bind :443.*\n.*redirect scheme.*\n/, '    http-response set-header x-node %s\n')
    .replace('bind :80', `bind ${network.address}:${port}`)
    .replaceAll(/( +server node\d .*\n)+/g, servers.join(''))
}
