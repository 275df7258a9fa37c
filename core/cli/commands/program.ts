import { Command, CommanderError } from 'commander'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { expectSqlite } from '../../storage/open/expect-sqlite.ts'
import { endQuietlyWithoutReader } from '../end-process.ts'
import { handOver } from '../hand-over.ts'
import type { Setting } from '../setting.ts'
import { readServerSettings } from '../settings-from-env.ts'
import { addAccountCommand, addSetupCommand } from './account-commands.ts'
import { addBackupCommand, addRestoreCommand } from './backup-commands.ts'
import { addConfigCommand } from './config-command.ts'
import { addDevCommand } from './dev-command.ts'
import { addDoctorCommand } from './doctor-command.ts'
import { addHealthCommand } from './health-command.ts'
import { addPluginsCommand } from './plugins-command.ts'
import { addServeCommand } from './serve-command.ts'
import { addTokenCommand } from './token-command.ts'

const commands = [
  addServeCommand,
  addSetupCommand,
  addTokenCommand,
  addAccountCommand,
  addPluginsCommand,
  addConfigCommand,
  addDevCommand,
  addDoctorCommand,
  addBackupCommand,
  addRestoreCommand,
  addHealthCommand,
]

/** Run the command that the arguments name; gives the exit code. */
export async function runProgram(args: readonly string[], setting: Setting): Promise<number> {
  endQuietlyWithoutReader()
  const program = new Command('linnet')
    .description('A link shortener that you run yourself.')
    .version(setting.version)
    .exitOverride()
    .hook('preAction', expectSqlite)
    .showHelpAfterError('Run it with --help to see its options.')
    .addHelpText(
      'after',
      `
Examples:
  linnet serve                                        run the server
  linnet setup --email you@example.org                create the first admin
  linnet token create --account you@example.org       create an API token
  linnet plugins                                      list the plugins
  linnet doctor                                       look for problems
  linnet config                                       show the settings and where they are set
  linnet backup                                       back up the database, also while it is in use`,
    )
  for (const add of commands) add(program, setting)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    process.stderr.write(`${explain(error)}\n`)
    return 1
  } finally {
    const read = readServerSettings(setting.env, setting.table)
    if ('settings' in read) handOver(read.settings.dataDir)
  }
}

/** Errors whose messages say what to do. */
const shownWithoutStack = [
  'UserError',
  'UnfitAdmin',
  'TokenWithoutAdmin',
  'Mistakes',
  'UnusableSettings',
  'UnusableDatabase',
  'FolderInUse',
  'CopyFailed',
  'InstallFailed',
]

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (shownWithoutStack.includes(error.name)) return error.message
  if (isOutOfReach(error)) {
    return `This cannot be done now: ${error.message}. Check whether the disk is full or read-only.`
  }
  // What the system says of a file names it, and no line of ours is to blame.
  if ('syscall' in error && 'path' in error) return `This cannot be done: ${error.message}`
  return error.stack ?? error.message
}
