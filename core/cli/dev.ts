import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { startCompiler } from './dev/compiler.ts'
import { createOwnServer } from './dev/own-server.ts'
import { linkPlugin, watchPlugin } from './dev/watched-plugin.ts'
import type { Setting } from './setting.ts'
import { UserError } from './user-error.ts'

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
  const stopped = new Promise<false>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(false))
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'linnet-dev-'))
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
    const watching = watchPlugin(plugin, server.restart)
    await server.restart()
    const isGone = await Promise.race([stopped, watching.gone])
    watching.close()
    compiler?.stop()
    await server.stop()
    if (isGone) throw new UserError(`${plugin.root} is gone, so there is no plugin to run.`)
  } finally {
    rmSync(dataDir, { recursive: true })
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
