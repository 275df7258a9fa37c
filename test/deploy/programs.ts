import { type ExecFileSyncOptions, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, type TestAPI, test } from 'vitest'
import { root } from '../e2e/program.ts'

/** A test of what needs these programs; where one is not installed it is left out, and its name says so. */
export function withPrograms(...names: readonly string[]): TestAPI | TestAPI['skip'] {
  const missing = names.filter(name => spawnSync('which', [name]).status !== 0)
  if (missing.length === 0) return test
  console.warn(`NOT TRIED: ${missing.join(', ')} cannot be found.`)
  return test.skip
}

/** A file of `docs/`, with other text in the place of some of it. All of that has to be there. */
export function documentWith(path: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(root, 'docs', path), 'utf8'),
  )
}

/** Run a program to its end: what it wrote. */
export function run(file: string, args: readonly string[], options: ExecFileSyncOptions = {}) {
  return execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe', ...options }) as string
}

/** A program that runs until the test ends. */
export function keepRunning(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(file, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
}

/** Ports that nobody listens on now, for programs that cannot choose one themselves. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(it => once(it, 'listening')))
  const ports = servers.map(it => (it.address() as { port: number }).port)
  await Promise.all(servers.map(it => once(it.close(), 'close')))
  return ports
}
