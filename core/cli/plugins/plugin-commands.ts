import { Argument, Command, Option } from 'commander'
import { z } from 'zod'
import { sentenceOf } from '../../http/api/input/field-errors.ts'
import { readBy } from '../../kernel/run/plugin-settings.ts'
import type { RunningPlugin } from '../../kernel/run/start-plugin.ts'
import { toSnake } from '../../lib/text/casing.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Command as PluginCommand } from '../../plugin/commands/command.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import type { Field, Fields, LinkRefusal, Plugin } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { expectAccount } from '../account-options.ts'

export interface FoundCommand {
  readonly name: string
  /** The plugin that has it. */
  readonly feature: string
  readonly command: PluginCommand
}

/** A command with what it is called with, all of it checked. */
export interface ReadCommand extends FoundCommand {
  readonly arguments: Values
  readonly options: Values
}
type Values = Readonly<Record<string, unknown>>

export function commandsOf(plugins: readonly Plugin[]): readonly FoundCommand[] {
  return plugins.flatMap(({ feature, unstable }) =>
    Object.entries(unstable?.commands ?? {}).map(([name, command]) => ({ name, feature, command })),
  )
}

/** Where help and mistakes are written. */
export interface Output {
  writeOut?(text: string): void
  writeErr?(text: string): void
}

/** Reads what follows `linnet run`. Throws what commander throws, for help too, or a `UserError`. */
export async function readWords(
  words: readonly string[],
  found: readonly FoundCommand[],
  output: Output = {},
): Promise<ReadCommand | undefined> {
  let read: ReadCommand | undefined
  const program = new Command('linnet run')
    .description('Run a command of a plugin.')
    .configureOutput(output)
    .exitOverride()
    .showHelpAfterError('Run it with --help to see its options.')
  for (const one of found) {
    const { arguments: args = {}, options = {} } = one.command
    const command = addTo(program, one)
    command.action(() => {
      const words = Object.keys(args).map((name, index) => [name, command.processedArgs[index]])
      read = {
        ...one,
        arguments: readFields(args, Object.fromEntries(words), wordOf),
        options: readFields(options, command.opts(), optionOf),
      }
    })
  }
  await program.parseAsync(words, { from: 'user' })
  return read
}

function addTo(program: Command, { name, feature, command }: FoundCommand): Command {
  const added = program
    .command(name)
    .description(command.summary)
    .addHelpText(
      'after',
      `${command.help ? `\n${command.help}\n` : ''}\nIt belongs to the plugin ${feature}.`,
    )
  for (const [name, field] of Object.entries(command.arguments ?? {})) {
    const shown = `${wordOf(name)}${field.control === 'list' ? '...' : ''}`
    const argument = new Argument(isNeeded(field) ? `<${shown}>` : `[${shown}]`, aboutOf(field))
    added.addArgument(choices(argument, field))
  }
  for (const [name, field] of Object.entries(command.options ?? {})) {
    const kind = field.control === 'number' ? 'number' : 'text'
    const flags = `${optionOf(name)}${field.control === 'toggle' ? '' : ` <${kind}>`}`
    const option = new Option(flags, aboutOf(field)).makeOptionMandatory(isNeeded(field))
    if (field.control === 'list') {
      option.argParser((word: string, all: readonly string[] = []) => [...all, word])
    }
    added.addOption(choices(option, field))
  }
  return added
}

function choices<T extends { choices(values: readonly string[]): unknown }>(
  it: T,
  { schema }: Field,
): T {
  if (schema instanceof z.ZodEnum) it.choices(schema.options.map(String))
  return it
}

function isNeeded({ control, default: byDefault, isOptional }: Field): boolean {
  return control !== 'toggle' && byDefault === undefined && !isOptional
}

function aboutOf({ label, hint, default: byDefault }: Field): string {
  const usual = byDefault === undefined ? '' : ` (default: ${JSON.stringify(byDefault)})`
  return `${[label, hint].filter(Boolean).join('. ')}${usual}`
}

/** `dryRun` -> `dry-run`. */
function wordOf(name: string): string {
  return toSnake(name).replaceAll('_', '-')
}

function optionOf(name: string): string {
  return `--${wordOf(name)}`
}

/** Checks words as the settings of plugins are checked. Throws a `UserError` for the first that is wrong. */
function readFields(fields: Fields, words: Values, shownAs: (name: string) => string): Values {
  const values = Object.entries(fields).map(([name, field]) => {
    const given = givenOf(field, words[name])
    if (given === undefined && field.isOptional) return [name, undefined]
    const { value, problem } = readBy(field, given, sentenceOf)
    // The word itself is not shown: it may steer the terminal.
    if (problem !== undefined) throw new UserError(`${shownAs(name)} cannot be used: ${problem}`)
    return [name, value]
  })
  return Object.fromEntries(values)
}

function givenOf({ control, default: byDefault }: Field, word: unknown): unknown {
  if (word === undefined) return byDefault ?? (control === 'toggle' ? false : undefined)
  if (control !== 'number') return word
  return typeof word === 'string' && word.trim() !== '' ? Number(word) : Number.NaN
}

/** Runs a command of a plugin that runs. Throws a `UserError` with what it refuses. */
export async function runCommand(
  { command, name, ...given }: ReadCommand,
  { context }: Pick<RunningPlugin, 'context'>,
  { db, write }: { readonly db: Database; write(line: string): Promise<undefined> },
): Promise<void> {
  const call = {
    arguments: given.arguments,
    options: given.options,
    print: (line: string) => write(harmless(`${line}`)),
    account: async (email: string) => (await expectAccount(db, email)).id,
  }
  const answer: unknown = await command.run(call, context)
  if (isRefusal(answer)) throw new UserError(harmless(saidBy(answer)))
  if (answer !== undefined) throw new Error('it returned an invalid value')
}

/** A refusal of a link says what is wrong with each field. */
function saidBy({ detail, errors = [] }: LinkRefusal): string {
  if (errors.length === 0) return detail
  return errors.map(({ field, message }) => `${field}: ${message}`).join('\n')
}

/** What is printed may have what somebody else wrote, such as a title, or the name of a table in a file. */
function harmless(text: string): string {
  return text.replace(steering, '\ufffd')
}

/** What steers a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
