import { execFile } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { loadPlugins } from '../../kernel/load/load-plugins.ts'
import { featuresOn } from '../../kernel/load/plugin-choice.ts'
import { stackOf } from '../../lib/message-for-people.ts'
import { meant } from '../../lib/text/nearest-name.ts'
import { UserError } from '../../lib/user-error.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { endProcess } from '../end-process.ts'
import { hasInstance, readEnvironment } from '../find-instance.ts'
import { writeJson } from '../output.ts'
import {
  commandsOf,
  type FoundCommand,
  type ReadCommand,
  readWords,
  runCommand,
} from '../plugins/plugin-commands.ts'
import { survivePlugins, type WholeSetting, withOutside } from '../plugins/with-outside.ts'
import { choiceOf, type Setting } from '../setting.ts'
import { readSettings } from '../stored-settings.ts'
import { withCommandApp } from './with-command-app.ts'

/** EX_SOFTWARE of sysexits.h. */
const exitOfBug = 70

/** How long the help waits for the commands of plugins, in milliseconds. */
const helpMs = 10_000

/** `linnet run`, as the help shows it: the words after it are read once the plugins are known. */
export function addRunCommand(program: Command): void {
  program
    .command('run [command...]')
    .description('Run a command of a plugin, or list them, with --json for programs.')
}

/**
 * The commands of plugins as the help lists them; empty if they cannot be read. Another process reads them, because a plugin may hang or
 * end its process, and the help must not.
 */
export function listCommands({ programUrl, env }: Setting): Promise<string> {
  const program = [...process.execArgv, fileURLToPath(programUrl), 'run', '--list']
  return new Promise(resolve => {
    const how = { env, timeout: helpMs, killSignal: 'SIGKILL' } as const
    execFile(process.execPath, program, how, (error, stdout) => resolve(error ? '' : stdout))
  })
}

function linesOf(commands: readonly FoundCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return commands
    .map(({ name, command }) => `  run ${name.padEnd(width)}  ${command.summary}\n`)
    .join('')
}

/** Runs the command of a plugin that the words name without `run` before it; undefined if no plugin has it. */
export async function runIfOfPlugin(
  words: readonly string[],
  ours: Setting,
): Promise<number | undefined> {
  const [name] = words
  survivePlugins(ours)
  const { commands, setting } = await loadCommands(ours)
  if (!commands.some(it => it.name === name)) return undefined
  const read = await readWords(words, commands)
  return read === undefined ? 0 : runRead(read, setting)
}

/** Runs the command of a plugin that the words name. Resolves to the exit code. */
export async function runCommandOfPlugin(words: readonly string[], ours: Setting): Promise<number> {
  survivePlugins(ours)
  const { setting, commands, troubles } = await loadCommands(ours)
  const [name] = words
  if (name === '--list') {
    process.stdout.write(linesOf(commands))
    return 0
  }
  if (words.join() === '--json') {
    writeJson(
      commands.map(({ name, feature, command }) => ({ name, feature, summary: command.summary })),
    )
    return 0
  }
  if (name === undefined && commands.length === 0) {
    process.stdout.write(`No plugin that is on has a command.\n${troubles}`)
    return 0
  }
  if (name !== undefined && !name.startsWith('-') && !commands.some(it => it.name === name)) {
    const known = commands.map(it => it.name)
    const remedy = 'Those of the plugins that are on are listed by: linnet run'
    throw new UserError(`There is no command ${name}. ${meant(name, known, remedy)}\n${troubles}`)
  }
  const read = await readWords(name === undefined ? ['--help'] : words, commands)
  return read === undefined ? 0 : runRead(read, setting)
}

interface Loaded {
  readonly setting: WholeSetting
  readonly commands: readonly FoundCommand[]
  /** What is wrong with other plugins, as lines. */
  readonly troubles: string
}

async function loadCommands(ours: Setting): Promise<Loaded> {
  const server = readEnvironment(ours)
  const stored = hasInstance(server) ? (await readSettings(server)).plugins : undefined
  const setting = await withOutside(ours, server, stored)
  const { registry, outside } = setting
  const on = featuresOn(choiceOf(setting, server), stored).filter(it => it in registry)
  const features = outside.plugins.map(({ feature }) => feature)
  const { plugins, leftOut } = await loadPlugins(registry, on, features)
  const broken = outside.broken.map(({ name, problem }) => [name, problem])
  const troubles = [...broken, ...Object.entries(leftOut)]
    .map(([name, why]) => `${name} does not run: ${why}.\n`)
    .join('')
  return { setting, commands: commandsOf(plugins), troubles }
}

async function runRead(read: ReadCommand, setting: WholeSetting): Promise<number> {
  const { name, feature } = read
  const stop = untilInterrupted()
  let code = 0
  await withCommandApp(setting, stop.signal, async (app, db) => {
    try {
      const { running, leftOut } = app.plugins
      const member = running.find(({ plugin }) => plugin.feature === feature)
      if (!member) throw new UserError(`${feature} does not run: ${leftOut[feature]}.`)
      await orStuck(runCommand(read, member, { db, write }))
    } catch (error) {
      if (error instanceof UserError || isOutOfReach(error) || isOfFile(error)) throw error
      process.stderr.write(`The command ${name} of ${feature} failed: ${stackOf(error)}\n`)
      code = exitOfBug
    }
  })
  return stop.code() ?? code
}

/** A system error about a file names the file, and a stack would not help. */
function isOfFile(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/** Resolves when somebody takes the line, so that a command that prints much does not fill the memory. */
function write(line: string): Promise<undefined> {
  return new Promise(resolve => process.stdout.write(`${line}\n`, () => resolve(undefined)))
}

/** The first signal, or the loss of the output, asks a command to stop; a second signal ends the process at once. */
function untilInterrupted(): { readonly signal: AbortSignal; code(): number | undefined } {
  const stopping = new AbortController()
  let code: number | undefined
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (code !== undefined) endProcess(code)
      code = 128 + constants.signals[name]
      stopping.abort(new Error(`it was interrupted by ${name}`))
    })
  }
  process.stdout.once('error', () => stopping.abort(new Error('nobody reads its output')))
  return { signal: stopping.signal, code: () => code }
}

/** Node ends a process that has nothing left to do, whatever it awaits. */
function orStuck<T>(work: Promise<T>): Promise<T> {
  const stuck = new Promise<never>((_, reject) => {
    process.once('beforeExit', () => reject(new Error('it waits for something that never comes')))
  })
  return Promise.race([work, stuck])
}
