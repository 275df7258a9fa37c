import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Setting } from '../../core/cli/setting.ts'
import { UserError } from '../../core/lib/user-error.ts'
import { makeTemporaryFolder } from '../../core/outside/temporary-folder.ts'
import { lockFolder } from '../../core/storage/files/lock.ts'
import { createOwnServer } from './own-server.ts'
import { linkPlugin, startCompiler, watchPlugin } from './watched-plugin.ts'

/** `linnet dev` */
export function addDevCommand(program: Command, setting: Setting): void {
  program
    .command('dev [plugin]')
    .description(
      'Run a server with your plugin on separate data, and reload the plugin at each change.',
    )
    .addHelpText(
      'after',
      `
The plugin is a folder with a package.json, or a single file. If the package has a script "watch", it runs too, to
compile your changes. The data is deleted when you stop the server.

Examples:
  linnet dev
  linnet dev ./hours.ts`,
    )
    .action((plugin = '.') => develop(setting, plugin))
}

async function develop(setting: Setting, typed: string): Promise<void> {
  const stopped = new Promise<false>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(false))
  })
  const dataDir = makeTemporaryFolder('linnet-dev-', { staleMs: lockedMs, isLeft })
  try {
    const plugin = linkPlugin(typed, join(dataDir, 'plugins'))
    const compiler = startCompiler(plugin)
    const server = createOwnServer(setting.programUrl, {
      LINNET_HOST: '127.0.0.1',
      ...setting.env,
      ...account(),
      LINNET_DATA_DIR: dataDir,
      PLUGINS: 'all',
    })
    const watching = watchPlugin(plugin, () => {
      plugin.markChange()
      return server.take()
    })
    server.start()
    const isGone = await Promise.race([stopped, watching.gone])
    watching.close()
    compiler?.stop()
    await server.stop()
    if (isGone)
      throw new UserError(`${plugin.root} no longer exists, so there is no plugin to run.`)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

/** The age at which a folder's server has certainly taken its lock, in milliseconds. */
const lockedMs = 60_000

/** Whether the server with this data was killed. */
function isLeft(folder: string): boolean {
  try {
    lockFolder(join(folder, 'linnet.lock'), { waitMs: 0 }).release()
    return true
  } catch {
    // Another process is using it, or it belongs to another user.
    return false
  }
}

/** Makes up an account and prints how to sign in. Each `linnet dev` starts with new data of its own. */
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
