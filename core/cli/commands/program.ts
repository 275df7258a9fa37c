import { Command, CommanderError } from 'commander'
import { sentenceOfFile, stackOf } from '../../lib/message-for-people.ts'
import { UserError } from '../../lib/user-error.ts'
import { expectSqlite } from '../../storage/files/inspect-file.ts'
import { isOutOfReach, ServerAway } from '../../storage/files/out-of-reach.ts'
import { becomeOwner } from '../become-owner.ts'
import { type CommandName, commandNames, commandsElsewhere } from '../command-names.ts'
import { failureLine, sayAsJson } from '../output.ts'
import { withSettingsOfServer } from '../running-server.ts'
import type { Setting } from '../setting.ts'
import { readServerSettings } from '../settings-from-env.ts'

type AddCommand = () => Promise<(program: Command, setting: Setting) => void>

/** What adds each command, or adds to it. */
export type Commands = Readonly<Partial<Record<CommandName, AddCommand>>>

/** Each command is imported only when it is used, because together they import most of Linnet. */
const commands: Commands = {
  serve: async () => (await import('./serve-command.ts')).addServeCommand,
  setup: async () => (await import('./account-commands.ts')).addSetupCommand,
  token: async () => (await import('./token-command.ts')).addTokenCommand,
  account: async () => (await import('./account-commands.ts')).addAccountCommand,
  plugins: async () => (await import('./plugins-command.ts')).addPluginsCommand,
  run: async () => (await import('./run-command.ts')).addRunCommand,
  config: async () => (await import('./config-command.ts')).addConfigCommand,
  doctor: async () => (await import('./doctor-command.ts')).addDoctorCommand,
  backup: async () => (await import('./backup-commands.ts')).addBackupCommand,
  restore: async () => (await import('./backup-commands.ts')).addRestoreCommand,
  health: async () => (await import('./health-command.ts')).addHealthCommand,
}

/** Runs the command that the arguments name. Resolves to the exit code. */
export async function runProgram(
  args: readonly string[],
  ours: Setting,
  tools: Commands,
): Promise<number> {
  const asJson = asksJson(args)
  sayAsJson(asJson)
  const program = new Command('linnet')
    .description('A link shortener that you run yourself.')
    .version(ours.version, '-v, --version')
    .exitOverride()
    .configureOutput({ ...(asJson && { writeErr: () => undefined }) })
    .hook('preAction', expectSqlite)
    .showHelpAfterError('Run it with --help to see its options.')
    .commandsGroup('Commands for a server here, on its data folder:')
    .helpCommand('help [command]', 'Show the help of a command.')
    .addHelpText(
      'after',
      `
Commands for a server elsewhere, over its API (docs/command-line.md):
${linesElsewhere()}

Examples:
  linnet serve                                        run the server
  linnet setup --email you@example.org                create the first admin
  linnet token create --account you@example.org       create an API token
  linnet plugins                                      list the plugins
  linnet doctor                                       look for problems
  linnet config                                       show the settings and where they are set
  linnet backup                                       back up the database, also while it is in use
  linnet login https://go.example.org                 call a server elsewhere from here
  linnet links create https://example.com             make a short link there`,
    )
  const named = args[0] === 'complete' ? args.slice(1) : args
  const adding = await addersFor(named, tools)
  try {
    const setting = asksVersion(args[0] ?? '') ? ours : settingHere(ours, named)
    for (const add of adding) add(program, setting)
    takeJson(program)
    if (args[0] === 'complete') return completeIn(program, args.slice(1))
    if (asksHelp(args)) program.addHelpText('after', await helpOfPlugins(setting))
    // Commander suggests similar names only for a command that does nothing by itself.
    const [first, second = '-'] = args
    const isList = first === 'plugins' && second.startsWith('-') && !asksHelp([second])
    const words = isList ? ['plugins', 'list', ...args.slice(1)] : asCommander(args, program)
    if (words[0] === 'run') {
      const { runCommandOfPlugin } = await import('./run-command.ts')
      return await runCommandOfPlugin(words.slice(1), setting)
    }
    if (mayBeOfPlugin(words)) {
      const { runIfOfPlugin } = await import('./run-command.ts')
      const code = await runIfOfPlugin(args[0] === 'help' ? words : args, setting)
      if (code !== undefined) return code
    }
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    const { message, exit } = failureOf(error)
    if (asJson && exit !== 0) process.stderr.write(failureLine(message, exit))
    else if (!(error instanceof CommanderError)) process.stderr.write(`${message}\n`)
    return exit
  }
}

function failureOf(error: unknown): { readonly message: string; readonly exit: number } {
  if (error instanceof CommanderError) return { message: error.message, exit: error.exitCode }
  const message = explain(error)
  return { message: message ?? stackOf(error), exit: message === undefined ? exitOfBug : 1 }
}

/** Whether a program reads what a command says. The words of a command of a plugin are its own. */
function asksJson(args: readonly string[]): boolean {
  return args.includes('--json') && !(args[0] === 'run' && args.length > 2)
}

/** Every command that ends by itself takes `--json`. */
function takeJson(command: Command): void {
  for (const it of command.commands) takeJson(it)
  const isWhole =
    command.commands.length === 0 && !['serve', 'dev', 'help'].includes(command.name())
  if (isWhole && !command.options.some(it => it.long === '--json')) {
    command.option('--json', 'as JSON')
  }
}

/**
 * The setting for a command on the data folder. Root leaves it to the owner before anything of the folder is read, which its
 * owner may have written: even the help imports its plugins.
 */
function settingHere(ours: Setting, [name = '']: readonly string[]): Setting {
  const read = readServerSettings(ours.env, ours.table)
  const { dataDir } = 'settings' in read ? read.settings : read.rest
  if (dataDir === undefined) return ours
  becomeOwner(dataDir)
  return ['serve', 'dev'].includes(name) ? ours : withSettingsOfServer(ours, dataDir)
}

function linesElsewhere(): string {
  return Object.entries(commandsElsewhere)
    .map(([name, about]) => `  ${name.padEnd(26)}  ${about}`)
    .join('\n')
}

/** Prints what may come next, for a shell. The last word is the one that was begun. */
function completeIn(program: Command, words: readonly string[]): number {
  const begun = words.at(-1) ?? ''
  const before = words.slice(0, -1).filter(word => !word.startsWith('-'))
  const command = before.reduce<Command | undefined>(
    (at, word) => at?.commands.find(it => it.name() === word) ?? at,
    program,
  )
  const options = command?.options.map(it => [it.long ?? '', it.description]) ?? []
  const names = command?.commands.map(it => [it.name(), it.description()]) ?? []
  for (const [word = '', about] of begun.startsWith('-') ? options : names) {
    if (word.startsWith(begun)) process.stdout.write(`${word}\t${about}\n`)
  }
  return 0
}

/** The named command; or all of them if there is none of that name, for the help and for the error message. */
function addersFor([name = '']: readonly string[], tools: Commands) {
  if (asksVersion(name)) return []
  const named = commandNames.filter(it => it === name)
  const adding = (named.length > 0 ? named : commandNames).flatMap(it => [commands[it], tools[it]])
  return Promise.all(adding.filter(it => it !== undefined).map(read => read()))
}

/** Whether a word names none of our commands, so that a plugin may have it. */
function mayBeOfPlugin([name = '-']: readonly string[]): boolean {
  return !name.startsWith('-') && name !== 'help' && commandNames.every(it => it !== name)
}

/** Whether the help of the whole program is asked for. */
function asksHelp(args: readonly string[]): boolean {
  return args.length === 0 || ['help', '--help', '-h'].includes(args.join(' '))
}

async function helpOfPlugins(setting: Setting): Promise<string> {
  const { listCommands } = await import('./run-command.ts')
  const lines = await listCommands(setting)
  return lines === '' ? '' : `\nCommands of plugins:\n${lines.trimEnd()}`
}

function asksVersion(name: string): boolean {
  return ['--version', '-v', '-V'].includes(name)
}

/**
 * The arguments as commander understands them: `help backup` is `backup --help`. What follows a command that does not
 * exist is left out, or commander would show the help of the others and not say that there is no such command.
 */
function asCommander(args: readonly string[], program: Command): readonly string[] {
  const [first = '', ...rest] = args
  if (asksVersion(first)) return ['--version']
  const words = first === 'help' && rest.length > 0 ? [...rest, '--help'] : args
  let command: Command = program
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') || command.commands.length === 0) break
    const next = command.commands.find(it => it.name() === word)
    if (!next) return words.slice(0, index + 1)
    command = next
  }
  return words
}

/** EX_SOFTWARE of sysexits.h. */
const exitOfBug = 70

/** What the user can do about an error; undefined if it is a bug. */
function explain(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof UserError) return error.message
  if ('code' in error && error.code === 'EACCES') {
    return `The user who runs this, uid ${process.getuid?.()}, may not: ${error.message}. Let that user, or name another place.`
  }
  if ('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) {
    return `This cannot be done now: ${error.message}. Let it have more open files: ulimit -n, or LimitNOFILE= of systemd.`
  }
  if (isOutOfReach(error)) {
    const remedy =
      error instanceof ServerAway
        ? 'Check that PostgreSQL is running, and DATABASE_URL.'
        : 'Check whether the disk is full or read-only.'
    return `This cannot be done now: ${error.message}. ${remedy}`
  }
  return sentenceOfFile(error)
}
