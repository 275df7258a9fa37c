import { type Command, Option } from 'commander'
import { createLog, logLinesTo } from '../../http/server/log.ts'
import { UserError } from '../../lib/user-error.ts'
import type { FolderLock } from '../../storage/files/lock.ts'
import { watchLock } from '../../storage/files/watch-lock.ts'
import { withDataFolder, withLock } from '../data-folder.ts'
import { untilStopped } from '../end-process.ts'
import { expectEnvironment } from '../expect-environment.ts'
import { holdPortOf, withPort } from '../free-port.ts'
import type { Setting } from '../setting.ts'
import { type ServerSettings, settingsAsText } from '../settings-from-env.ts'
import { runWorkers } from '../workers.ts'
import { serve } from './serve.ts'

/** `linnet serve` */
export function addServeCommand(program: Command, setting: Setting): void {
  program
    .command('serve')
    .description('Run the server until it is told to stop.')
    .addHelpText('after', () => `\nEnvironment:\n${settingsAsText(setting.table)}`)
    .addHelpText(
      'after',
      `
Examples:
  linnet serve
  LINNET_PORT=80 LINNET_BASE_URL=https://go.example.org linnet serve`,
    )
    .addOption(new Option('--worker <number>').hideHelp())
    .action(async ({ worker }: { readonly worker?: string }) => {
      await expectEnvironment(setting)
      const run = (lock?: FolderLock) =>
        withDataFolder(setting, it => serve(setting, it, { lock, worker }), {
          serves: true,
          version: setting.version,
        })
      if (worker !== undefined) {
        if (process.connected !== true)
          throw new UserError('Set LINNET_WORKERS instead of --worker.')
        return run()
      }
      return withLock(setting, (lock, server) =>
        server.workers > 1 ? supervise(setting, server, lock) : run(lock),
      )
    })
}

/** Holds the lock of the data folder and runs the workers, which serve. */
async function supervise(setting: Setting, server: ServerSettings, taken: FolderLock) {
  const log = createLog(server.logLevel, logLinesTo(server.logFormat))
  const stopped = untilStopped(log)
  const lock = watchLock(taken, log)
  // Checks that the port is free, because workers share it and would also share it with another instance.
  const held = await holdPortOf(server)
  held.holder.close()
  const { port, baseUrl } = withPort(server, held)
  const own = { LINNET_PORT: `${port}`, LINNET_BASE_URL: baseUrl }
  const env = { ...setting.env, ...(server.port === 0 && own) }
  await runWorkers({ ...setting, env }, { count: server.workers, stopped, log })
  lock.release()
}
