import type { Context } from '../context.ts'
import type { Fields, Settings } from '../fields.ts'
import type { Later, Refusal } from '../outcomes.ts'

/**
 * A command that an operator runs on the server, as `linnet run <name>`, also while Linnet runs on the same data.
 *
 * @example
 * unstable: {
 *   commands: {
 *     'count-moods': {
 *       summary: 'Count the links of a mood.',
 *       run: async ({ print }, { db }) => print(`${await countMoods(db)}`),
 *     },
 *   },
 * }
 */
export interface Command<A extends Fields = Fields, O extends Fields = Fields> {
  /** What it does, as one line of at most 100 characters with a full stop at its end. */
  readonly summary: string
  /** What its help says below its options: lines of at most 100 characters. */
  readonly help?: string
  /** What follows its name, in this order: each is required unless it has a default or is `optional`. A `list` takes all that follow. */
  readonly arguments?: A
  /**
   * What is given by name: `dryRun` as `--dry-run`. A `toggle` is false unless it is given, and a `list` is given once for
   * each entry. Others are required unless they have a default or are `optional`.
   */
  readonly options?: O
  /**
   * Does it. A refusal is printed and ends the program with 1, and what it throws, with 70. There is no time limit:
   * Ctrl-C aborts `context.signal`, and a second one ends the program at once.
   */
  run(call: CommandCall<A, O>, context: Context): Later<Refusal | undefined>
}

/**
 * What a command was called with.
 *
 * @example
 * run: async ({ options, account, print }) => print(`${await account(options.email)}`)
 */
export interface CommandCall<A extends Fields = Fields, O extends Fields = Fields> {
  readonly arguments: Settings<A>
  readonly options: Settings<O>
  /** Writes a line to the standard output. Resolves when it is written: await it if there are many. */
  print(line: string): Promise<undefined>
  /** The row id of the account with an e-mail address. If there is none, the command ends and says so. */
  account(email: string): Promise<number>
}

/**
 * Make a command, with the types of what it was called with taken from its arguments and options.
 *
 * @example
 * command({
 *   summary: 'Greet somebody.',
 *   arguments: { name: text({ label: 'Whom to greet' }) },
 *   run: ({ arguments: { name }, print }) => print(`Hello ${name}`),
 * })
 */
export function command<const A extends Fields, const O extends Fields>(
  it: Command<A, O>,
): Command {
  return it
}
