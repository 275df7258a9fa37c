import { Command, CommanderError } from 'commander'
import { addPluginsCommand } from './plugins.ts'
import { addServeCommand } from './serve.ts'
import type { Setting } from './setting.ts'
import { addSetupCommand } from './setup.ts'
import { addTokenCommand } from './token.ts'

/** Run the command that the arguments name; gives the exit code. */
export async function runProgram(args: readonly string[], setting: Setting): Promise<number> {
  const program = new Command('linnet')
    .description('A link shortener that you run yourself.')
    .version(setting.version)
    .exitOverride()
    .showHelpAfterError('Run it with --help to see what it takes.')
    .addHelpText(
      'after',
      `
Examples:
  linnet serve                                        run the server
  linnet setup --email you@example.org                make the first admin
  linnet token create --account you@example.org       make an API token
  linnet plugins                                      see what is on`,
    )
  for (const add of [addServeCommand, addSetupCommand, addTokenCommand, addPluginsCommand]) {
    add(program, setting)
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    process.stderr.write(`${explain(error)}\n`)
    return 1
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const known = ['UserError', 'Mistakes', 'UnusableSettings', 'UnusableDatabase', 'FolderInUse']
  return known.includes(error.name) ? error.message : (error.stack ?? error.message)
}
