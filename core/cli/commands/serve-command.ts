import { type Command, Option } from 'commander'
import { createLog, logLinesTo } from '../../http/server/log.ts'
import { UserError } from '../../lib/user-error.ts'
import { type FolderLock, watchLock } from '../../storage/files/lock.ts'
import { withDataFolder, withLock } from '../data-folder.ts'
import { untilStopped } from '../end-process.ts'
import { expectEnvironment } from '../expect-environment.ts'
import { type HeldPort, holdPortOf, withPort } from '../free-port.ts'
import { noteServer } from '../running-server.ts'
import type { Setting } from '../setting.ts'
import { type ServerSettings, settingsAsText } from '../settings-from-env.ts'
import { runWorkers } from '../workers.ts'
import { type Serving, serve } from './serve.ts'

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
      const run = (setting: Setting, serving: Serving) =>
        withDataFolder(setting, it => serve(setting, it, serving), {
          serves: true,
          version: setting.version,
        })
      const runAlone = async (
        setting: Setting,
        server: ServerSettings,
        taken: FolderLock,
        held?: HeldPort,
      ) => {
        const lock = noteServer(setting, server, taken)
        // Also where it does not start.
        await run(setting, { lock, held }).finally(() => lock.release())
      }
      if (worker !== undefined) {
        if (process.connected !== true)
          throw new UserError('Set LINNET_WORKERS instead of --worker.')
        return run(setting, { worker })
      }
      return withLock(setting, async (lock, server) => {
        if (server.workers > 1) return supervise(setting, server, lock)
        if (server.port !== 0) return runAlone(setting, server, lock)
        // Any free port: other servers on the database and the first short URL must be told which.
        const held = await holdPortOf(server)
        const withHeld = { ...setting, env: withPort(setting.env, server, held) }
        return runAlone(withHeld, server, lock, held)
      })
    })
}

/** Holds the lock of the data folder and runs the workers, which serve. */
async function supervise(setting: Setting, server: ServerSettings, taken: FolderLock) {
  const log = createLog(server.logLevel, logLinesTo(server.logFormat))
  const stopped = untilStopped(log)
  // Checks that the port is free, because workers share it and would also share it with another instance.
  const held = await holdPortOf(server)
  held.holder.close()
  const env = withPort(setting.env, server, held)
  const lock = watchLock(noteServer({ ...setting, env }, server, taken), log)
  const workers = runWorkers({ ...setting, env }, { count: server.workers, stopped, log })
  await workers.finally(() => lock.release())
}
