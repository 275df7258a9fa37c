import type { VisitorText } from '../answers/visitor-text.ts'
import type { Context } from '../context.ts'
import type { Fields, Json } from '../fields.ts'
import type { Later, Refusal } from '../outcomes.ts'
import type { Tables } from '../plugin-tables.ts'

/**
 * A question that some accounts must answer after the password, or after they came back from a provider. It is asked of the
 * accounts for which the plugin called `context.unstable.signIn.requireStep`, and of no others. These cannot sign in while the
 * plugin is off or a hook of the step fails.
 *
 * @example
 * unstable: {
 *   steps: {
 *     code: {
 *       label: 'Code by mail',
 *       method: 'otp',
 *       ask: ({ email }) => ({ text: `Enter the code that was sent to ${email}.`, kind: 'code' }),
 *       check: async ({ accountId }, answer, { store }) =>
 *         (await store.get(`${accountId}`)) === answer ? undefined : refuse('wrong_answer', 'This is not the code.'),
 *     },
 *   },
 * }
 */
export interface Step<S extends Fields = Fields, T = unknown, D = Tables> {
  /** Its name for people, such as `Authenticator app`. */
  readonly label: string
  /** What it proves, as sessions say: a word of RFC 8176, such as `otp` or `hwk`. */
  readonly method: string
  /**
   * Steps with the same word are alternatives, also those of other plugins that marked the account: one of
   * them is enough, and people choose which. A step whose plugin fails leaves it to the others. Default: it has none.
   */
  readonly oneOf?: string
  /**
   * Whether an account has to do it too that was not marked, as where an operator wants it of everybody. It cannot be async, and
   * if it fails, nobody signs in. Default: false.
   */
  isNeeded?(account: SigningIn, context: Context<S, T, D>): boolean
  /**
   * Returns the question. Undefined leaves it to the other steps of the plugin, one of which must ask. Runs again when
   * somebody asks for the question again. Time limit: 4 s.
   */
  ask(account: SigningIn, context: Context<S, T, D>): Later<Question | undefined>
  /**
   * Checks an answer, of at most 8,000 characters; a refusal says what is wrong with it. Wrong answers are limited and logged
   * like wrong passwords. Let each code work once. Time limit: 4 s.
   */
  check(account: SigningIn, answer: string, context: Context<S, T, D>): Later<Refusal | undefined>
  /** Signs people in by this step alone, in place of the password. */
  readonly first?: FirstStep<S, T, D>
}

/**
 * Lets a step sign people in by itself, with neither address nor password: the answer says whose it is. Let it prove no less than
 * a password and the step together. It stands for the step and its alternatives, and steps of other plugins are asked after it.
 *
 * @example
 * first: {
 *   label: 'a smart card',
 *   ask: () => ({ text: 'Insert your card.', kind: 'text' }),
 *   check: async (answer, context) =>
 *     (await ownerOf(answer, context)) ?? refuse('wrong_answer', 'This card is nobody’s.'),
 * }
 */
export interface FirstStep<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The words of its button after `Sign in with`, such as `a passkey`. */
  readonly label: string
  /** False hides it, such as where browsers cannot use it. It cannot be async. Default: true. */
  isReady?(context: Context<S, T, D>): boolean
  /** Returns the question for somebody of whom nothing is known. Time limit: 4 s. */
  ask(context: Context<S, T, D>): Later<Question>
  /**
   * Returns whose answer it is; a refusal says what is wrong with it. Wrong answers are limited and logged by client. Let each
   * answer work once. Time limit: 4 s.
   */
  check(answer: string, context: Context<S, T, D>): Later<Proven | Refusal>
}

/** Whose answer it is. */
export interface Proven {
  /** Row id. */
  readonly accountId: number
}

/** The account of somebody who knows its password, or whom a provider named. */
export interface SigningIn {
  /** Row id. */
  readonly accountId: number
  readonly email: string
  readonly fullName: string | null
  readonly isAdmin: boolean
  /** What was proven of them so far, in words of RFC 8176: `pwd`, or `fed` for a provider. */
  readonly methods: readonly string[]
}

/** What somebody is asked after the password. */
export interface Question {
  /** One sentence. Everybody who knows the password can read it. */
  readonly text: VisitorText
  /**
   * `code`: a few digits or letters. `text`: any line. `confirm`: only a button, whose answer is `yes`. `passkey`: a passkey that the
   * browser uses (WebAuthn) by `data.options`, as JSON in a text; so is the answer.
   */
  readonly kind: 'code' | 'text' | 'confirm' | 'passkey'
  /** A picture for the camera of a phone: a data URI of an SVG or a PNG, of at most 8,000 characters. */
  readonly picture?: string
  /** A line to copy, such as what the picture says. At most 500 characters. */
  readonly copy?: string
  /** What a program needs to answer. At most 8,000 bytes as JSON. */
  readonly data?: Json
}
