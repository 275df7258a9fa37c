import type { z } from 'zod'
import type { CorsOrigins } from '../http/api/access/cors.ts'
import type { TrustedProxies } from '../http/request/client-address.ts'
import type { LogFormat } from '../http/server/log.ts'
import type { OwnNetwork } from '../lib/net/own-network.ts'
import { nearestName } from '../lib/text/nearest-name.ts'
import { type Env, type Found, fileVariable, findText } from '../lib/variable-text.ts'

/** The settings of the server, as the operator set them in the environment. */
export interface ServerSettings {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Origin of every short URL, without a slash at the end. */
  readonly baseUrl: string
  readonly dashboardUrl: string | undefined
  /** Absolute path. */
  readonly dataDir: string
  /** The address of a PostgreSQL database. Undefined: SQLite in the data folder. */
  readonly databaseUrl: string | undefined
  /** How many processes serve, with PostgreSQL. */
  readonly workers: number
  readonly trustedProxies: TrustedProxies
  /** Origins whose pages may call the API with a token. */
  readonly corsOrigins: CorsOrigins
  /** What to do with requests for hosts that are neither the host of the base URL nor a custom host. */
  readonly otherHosts: 'answer' | 'refuse'
  /** Whether cached redirects are answered without `node:http`. */
  readonly fastLane: boolean
  /** Absolute paths. Undefined: the files that come with Linnet. */
  readonly geoipFiles: readonly string[] | undefined
  /** How many days counts are kept by the hour. */
  readonly hourlyDays: number
  /** After how many days counts are deleted. Undefined: never. */
  readonly retentionDays: number | undefined
  readonly deletedDays: number
  /** How many of the nightly backups are kept; 0 makes none. */
  readonly backupsKept: number
  readonly logLevel: 'info' | 'warn' | 'error'
  readonly logFormat: LogFormat
  /** Whether the log has IP addresses of clients. */
  readonly logsAddresses: boolean
  /** The features that are on, of those that are installed. */
  readonly plugins: 'all' | readonly string[]
  /** Whether admins may install plugins over the API. */
  readonly installsPlugins: boolean
  /** The URL of a list of plugins. Undefined: none. */
  readonly pluginIndex: string | undefined
  /** Schemes that addresses of links may have besides http and https. */
  readonly targetSchemes: readonly string[]
  /** The private networks that plugins may connect to for URLs from the operator. */
  readonly ownNetwork: OwnNetwork
  readonly adminEmail: string | undefined
  readonly adminPassword: string | undefined
  readonly bootstrapToken: string | undefined
}

/** One variable of the environment, as data. */
export interface Variable<T> {
  readonly name: string
  /** Another name for it, which hosting platforms set; `name` wins. */
  readonly alias?: string
  /** One sentence for `--help` and the documentation, with a full stop. */
  readonly about: string
  /** The text that is used if nothing is set; `$NAME` stands for the text of another variable. */
  readonly default?: string
  /** True: its value never appears in a message. */
  readonly secret?: true
  /** Variables that must be set too. */
  readonly needs?: readonly string[]
  /** Parses the text. Its messages are sentences that say what to enter. */
  readonly schema: z.ZodType<Exclude<T, undefined>, string>
}

/** A variable for each setting. */
export type ServerTable = {
  readonly [K in keyof ServerSettings]: Variable<ServerSettings[K]>
}

/** The settings, or all mistakes in them. */
export type ReadSettings =
  | { readonly settings: ServerSettings }
  | {
      readonly mistakes: readonly string[]
      /** The settings without mistakes. */
      readonly rest: Partial<ServerSettings>
    }

/** Reads the server's settings from the environment. Every mistake is a sentence that says what to do. */
export function readServerSettings(env: Env, table: ServerTable): ReadSettings {
  const read = Object.entries(table).map(([setting, variable]) => ({
    setting,
    ...readVariable(variable, env, table),
  }))
  const mistakes = read.flatMap(({ mistakes }) => mistakes)
  const settings = Object.fromEntries(
    read.filter(it => it.mistakes.length === 0).map(({ setting, value }) => [setting, value]),
  ) as unknown as ServerSettings
  return mistakes.length > 0 ? { mistakes, rest: settings } : { settings }
}

/** By these, commands for a server elsewhere find it. They may stand beside the settings of a server here. */
const variablesElsewhere = ['LINNET_URL', 'LINNET_TOKEN']

/** Returns a warning for each variable that looks like one of ours but is neither a setting nor a plugin's secret. */
export function warnOfUnknown(
  env: Env,
  table: ServerTable,
  ofPlugins: readonly string[],
): readonly string[] {
  const own = Object.values(table).map(({ name }) => name)
  const known = [...own, ...ofPlugins, ...variablesElsewhere].flatMap(name => [
    name,
    fileVariable(name),
  ])
  return Object.keys(env)
    .filter(name => name.startsWith('LINNET_') && !known.includes(name))
    .map(name => {
      const meant = nearestName(name, known)
      const hint = meant ? `did you mean ${meant}?` : 'unset it, or see linnet serve --help.'
      return `${name} is not a setting of this version and has no effect: ${hint}`
    })
}

function readVariable(
  variable: Variable<unknown>,
  env: Env,
  table: ServerTable,
): { readonly value?: unknown; readonly mistakes: readonly string[] } {
  const found = findText(variable, env)
  if (!found) return { value: readDefault(variable, env, table), mistakes: [] }
  if ('mistake' in found) return { mistakes: [found.mistake] }

  const partners = missingPartners(variable, env)
  const { data, error } = variable.schema.safeParse(found.text)
  return error
    ? { mistakes: [wrongText(variable, found, error), ...partners] }
    : { value: data, mistakes: partners }
}

/** Undefined if there is no default, or if the variable that it is made from is invalid. */
function readDefault(variable: Variable<unknown>, env: Env, table: ServerTable): unknown {
  const text = defaultText(variable, env, table)
  return text === undefined ? undefined : variable.schema.safeParse(text).data
}

/** The text that is used if nothing is set. */
export function defaultText(
  variable: Variable<unknown>,
  env: Env,
  table: ServerTable,
): string | undefined {
  return variable.default?.replace(/\$(\w+)/g, (_, name: string) => {
    const other = Object.values(table).find(candidate => candidate.name === name)
    const found = other && findText(other, env)
    return found && 'text' in found ? found.text : (other?.default ?? '')
  })
}

function missingPartners({ name, needs = [] }: Variable<unknown>, env: Env): readonly string[] {
  return needs
    .filter(partner => !env[partner] && !env[fileVariable(partner)])
    .map(partner => `${name} is set without ${partner}: set ${partner} too, or unset ${name}.`)
}

function wrongText(
  { secret }: Variable<unknown>,
  { text, from }: Found,
  error: z.ZodError,
): string {
  const [problem] = error.issues
  const remedy = problem?.message.replace(/^[A-Z]/, letter => letter.toLowerCase())
  return secret ? `${from} is invalid: ${remedy}` : `${from} is ${quote(text)}: ${remedy}`
}

/** Quotes a value, shortened and without a password. */
function quote(text: string): string {
  const shown = withoutPassword(text)
  return JSON.stringify(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown)
}

/** The settings for `--help`, one per line, with the default in parentheses. */
export function settingsAsText(table: ServerTable): string {
  const variables = Object.values(table)
  const width = Math.max(...variables.map(({ name }) => name.length))
  return variables
    .map(variable => {
      const line = `  ${variable.name.padEnd(width)}  ${variable.about}`
      return variable.default === undefined ? line : `${line} (${variable.default})`
    })
    .join('\n')
}

/** Removes the user name and the password from a URL. */
export function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//…@')
}
