import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { forPeople } from '../http/log.ts'
import { linkPlugin, type WatchedPlugin, watchPlugin } from './dev/watched-plugin.ts'
import type { Setting } from './setting.ts'

/** `linnet dev` */
export function addDevCommand(program: Command, setting: Setting): void {
  program
    .command('dev [plugin]')
    .description('Run a server with a plugin of yours on data of its own, anew at each change.')
    .addHelpText(
      'after',
      `
The plugin is a folder with a package.json, or a single file. Where the package has a script "watch", that is run
too, so that it compiles what you change. The data is gone when you stop.

Examples:
  linnet dev
  linnet dev ./hours.ts`,
    )
    .action((plugin = '.') => develop(setting, plugin))
}

async function develop(setting: Setting, typed: string): Promise<void> {
  const stopped = new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve)
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'linnet-dev-'))
  try {
    const plugin = linkPlugin(typed, join(dataDir, 'plugins'))
    const compiler = startCompiler(plugin)
    const server = createServer(setting, dataDir)
    const watching = watchPlugin(plugin, server.restart)
    await server.restart()
    await stopped
    watching.close()
    compiler?.stop()
    await server.stop()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

/** A server in a process of its own, which keeps its port, its account and its data when it starts anew. */
function createServer(setting: Setting, dataDir: string) {
  let env: NodeJS.ProcessEnv = {
    LINNET_HOST: '127.0.0.1',
    ...setting.env,
    ...account(),
    LINNET_DATA_DIR: dataDir,
    PLUGINS: 'all',
  }
  const out = process.stdout.isTTY ? forPeople(process.stdout) : process.stdout
  let child: ChildProcess | undefined
  let turn = Promise.resolve()

  async function end(): Promise<void> {
    if (child?.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }

  function start(): void {
    const args = ['--enable-source-maps', fileURLToPath(setting.programUrl), 'serve']
    child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    if (!child.stdout) return
    createInterface(child.stdout).on('line', line => {
      out.write(`${line}\n`)
      const { url, port } = JSON.parse(line)
      if (url && port) env = { ...env, LINNET_BASE_URL: url, LINNET_PORT: `${port}` }
    })
  }

  return {
    restart: () => {
      turn = turn.then(end).then(start)
      return turn
    },
    stop: () => turn.then(end),
  }
}

/** Who signs in, and says so: the data is new at each `linnet dev`, and nobody else's. */
function account(): Readonly<Record<string, string>> {
  const email = 'dev@example.org'
  const password = randomBytes(12).toString('base64url')
  const token = `lnt_${randomBytes(33).toString('base64url')}`
  process.stderr.write(
    `Sign in as ${email} with the password ${password}, or use the API token ${token}\n`,
  )
  return {
    LINNET_ADMIN_EMAIL: email,
    LINNET_ADMIN_PASSWORD: password,
    LINNET_BOOTSTRAP_TOKEN: token,
  }
}

/** It leads a process group of its own: npm does not hand on a signal to what it runs. */
function startCompiler({ root, hasWatchScript }: WatchedPlugin) {
  if (!hasWatchScript) return undefined
  const args = ['run', '--silent', 'watch']
  const child = spawn('npm', args, { cwd: root, detached: true, stdio: ['ignore', 2, 2] })
  child.on('error', error =>
    process.stderr.write(`npm run watch cannot be run: ${error.message}\n`),
  )
  return {
    stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    },
  }
}
