import { readFileSync } from 'node:fs'
import { Argument, Command, Option } from 'commander'
import { UserError } from '../core/lib/user-error.ts'
import type { Field, Operation } from './description.ts'
import { type Io, outputOf } from './io.ts'

/** How many rows of a list are shown unless somebody asks for more. */
export const usualRows = 100

/** What is typed besides the fields. */
export interface Flags {
  readonly json?: boolean
  readonly columns?: string
  readonly limit?: string
  readonly all?: boolean
  readonly output?: string
  readonly yes?: boolean
  readonly body?: string
  readonly idempotencyKey?: string
}

/** A request as it was typed. */
export interface Typed {
  readonly flags: Flags
  readonly values: ReadonlyMap<Field, unknown>
  /** Those that are no options. */
  readonly words: readonly string[]
  /** The file to send. */
  readonly file: string | undefined
}

/** The command of an operation, which help and completion read, too. Some fields may come from elsewhere than its words. */
export function commandOf(operation: Operation, fromElsewhere: readonly Field[] = []): Command {
  const { fields, takesFile, isList, answers } = operation
  const command = new Command(`linnet ${operation.words.join(' ')}`)
    .description(`${operation.summary}.`)
    .usage(`${usageOf(operation)} [options]`.trim())
    .exitOverride()
    .showHelpAfterError('Run it with --help to see its options.')
  const words = fields.filter(isWord)
  for (const field of words) {
    const isLastList = field.kind === 'list' && field === words.at(-1)
    const name = isLastList ? `${field.option}...` : field.option
    const shown = fromElsewhere.includes(field) ? `[${name}]` : `<${name}>`
    const argument = new Argument(shown, field.about)
    command.addArgument(field.choices.length > 0 ? argument.choices(field.choices) : argument)
  }
  if (takesFile) command.addArgument(new Argument('<file>', 'The file to send.'))
  for (const field of fields.filter(it => !isWord(it))) addOption(command, field)
  const own = new Set(fields.map(({ option }) => option))
  const add = (flags: string, about: string) => {
    if (!own.has(/--([\w-]+)/.exec(flags)?.[1] ?? '')) command.option(flags, about)
  }
  if (fields.some(({ at }) => at === 'body')) {
    add('--body <json>', 'all fields at once, or @file with them')
  }
  if (isList) {
    add('--limit <rows>', `how many to show at most (default: ${usualRows})`)
    add('--all', 'show all of them')
  }
  if (isText(answers)) {
    add('--columns <names>', 'what to show, such as id,visits.total')
  } else add('-o, --output <file>', 'write it to this file')
  add('--json', isText(answers) ? 'as JSON' : 'what went wrong, as JSON')
  if (operation.method === 'DELETE') add('--yes', 'do not ask first')
  if (operation.method !== 'GET') {
    add('--idempotency-key <key>', 'with the same key, the same is not done twice within a day')
  }
  return command
}

/** A required field is a word of the command, and any other an option. */
function isWord({ isRequired }: Field): boolean {
  return isRequired
}

/** What follows the words of an operation. */
export function usageOf({ fields, takesFile }: Operation): string {
  const words = fields.filter(isWord).map(({ option }) => `<${option}>`)
  return [...words, ...(takesFile ? ['<file>'] : [])].join(' ')
}

/** The field that lines of standard input are: the only one without which nothing can be made. */
export function fieldOfLines({ method, fields, takesFile }: Operation): Field | undefined {
  const [only, ...others] = fields.filter(({ isRequired }) => isRequired)
  const isOne = only?.at === 'body' && only.kind === 'text' && others.length === 0
  return method === 'POST' && isOne && !takesFile ? only : undefined
}

function addOption(command: Command, field: Field): void {
  const { option: name, about, choices, isNullable, isMoment, kind } = field
  const value = isMoment ? 'moment' : kind === 'json' || kind === 'number' ? kind : 'text'
  const option = new Option(kind === 'toggle' ? `--${name}` : `--${name} <${value}>`, about)
  if (choices.length > 0) option.choices(choices)
  if (kind === 'list') {
    option.argParser((word: string, all: readonly string[] = []) => [...all, word])
  }
  command.addOption(option)
  if (isNullable || kind === 'toggle') {
    command.addOption(
      new Option(`--no-${name}`, kind === 'toggle' ? 'the opposite' : 'clear it').hideHelp(),
    )
  }
}

/** Whether an answer is no file. */
export function isText(answers: readonly string[]): boolean {
  return answers.length === 0 || answers.includes('application/json')
}

function helpOf(operation: Operation): string {
  const clearable = operation.fields.find(({ isNullable, isRequired }) => isNullable && !isRequired)
  const lines = fieldOfLines(operation)
  return [
    '',
    '--server <name>, anywhere, calls another server than the current one.',
    ...(clearable
      ? [`--no- before the name of an option clears it: --no-${clearable.option}.`]
      : []),
    ...(lines
      ? [
          `Without <${lines.option}>, each line of standard input is one, or JSON with its fields.`,
          'Whoever sends the same lines again makes nothing twice.',
        ]
      : []),
  ].join('\n')
}

/** A command that tells of mistakes by what it throws, and writes its help where others write. */
export function commandOn(io: Io, name: string, about: string, typed: readonly string[]): Command {
  return new Command(`linnet ${name}`)
    .description(about)
    .configureOutput(outputOf(io, typed))
    .option('--json', 'as JSON')
    .exitOverride()
    .showHelpAfterError('Run it with --help to see its options.')
    .action(() => undefined)
}

/** Reads what was typed. Throws what commander throws, for help too, or a `UserError` for a value that cannot be meant. */
export function readTyped(operation: Operation, typed: readonly string[], io: Io): Typed {
  const { fields, takesFile } = operation
  const command = commandOf(operation, fieldsFromElsewhere(operation, typed, io))
    .configureOutput(outputOf(io, typed))
    .addHelpText('after', helpOf(operation))
    .action(() => undefined)
    .parse([...typed], { from: 'user' })
  const words = fields.filter(isWord)
  const options = command.opts()
  const values = new Map<Field, unknown>()
  for (const field of fields) {
    const given = isWord(field)
      ? command.processedArgs[words.indexOf(field)]
      : options[new Option(`--${field.option}`).attributeName()]
    if (given !== undefined) values.set(field, readValue(field, given))
  }
  return {
    flags: options,
    values,
    words: command.args,
    file: takesFile ? command.processedArgs[words.length] : undefined,
  }
}

/** What `--body` has, or the lines of standard input are. */
function fieldsFromElsewhere(operation: Operation, typed: readonly string[], io: Io) {
  if (typed.some(it => /^--body(=|$)/.test(it))) {
    return operation.fields.filter(({ at }) => at === 'body')
  }
  const lines = fieldOfLines(operation)
  return lines && !io.stdin.isTTY ? [lines] : []
}

function readValue(field: Field, given: unknown): unknown {
  if (field.kind === 'toggle') return given
  if (given === false) return null
  if (field.kind === 'list') {
    return [given].flat().flatMap(it => `${it}`.split(',').map(part => part.trim()))
  }
  const text = `${given}`
  if (field.kind === 'number') {
    const number = Number(text)
    if (text.trim() !== '' && Number.isFinite(number)) return number
    throw new UserError(`--${field.option} is "${text}": enter a number.`)
  }
  if (field.kind === 'json') return readJson(field.option, text)
  return field.isMoment ? withOffset(text) : text
}

/** JSON, or `@` with the name of a file that has it. */
export function readJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UserError(`--${option} has no valid JSON: ${error.message}`)
  }
}

/** A moment without an offset is one in the time zone of this machine, and a day begins at its midnight. */
function withOffset(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? []
  if (day === undefined) return text
  const at = new Date(`${day}T${time ?? '00:00'}`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}
