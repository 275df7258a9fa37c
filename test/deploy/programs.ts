import { type ExecFileSyncOptions, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, type TestAPI, test } from 'vitest'
import { root } from '../e2e/program.ts'

/** A test that needs these programs. If one is missing, the test is skipped and its name says why. */
export function withPrograms(...names: readonly string[]): TestAPI | TestAPI['skip'] {
  const missing = names.filter(name => spawnSync('which', [name]).status !== 0)
  if (missing.length === 0) return test
  console.warn(`NOT TRIED: ${missing.join(', ')} cannot be found.`)
  return test.skip
}

/** A file of `docs/` with some texts replaced, all of which must occur in it. */
export function documentWith(path: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(root, 'docs', path), 'utf8'),
  )
}

/** Runs a program to its end and returns its output. */
export function run(file: string, args: readonly string[], options: ExecFileSyncOptions = {}) {
  return execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe', ...options }) as string
}

/** Starts a program that runs until the test ends. */
export function keepRunning(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(file, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
}

/** Ports that are free now, for programs that cannot choose one themselves. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(it => once(it, 'listening')))
  const ports = servers.map(it => (it.address() as { port: number }).port)
  await Promise.all(servers.map(it => once(it.close(), 'close')))
  return ports
}
