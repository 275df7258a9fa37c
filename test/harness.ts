import { setImmediate as turn } from 'node:timers/promises'
import { inject, type Response } from 'light-my-request'
import { contract } from '../config/contract.ts'
import { features as defaultFeatures } from '../config/features.ts'
import { plans as defaultPlans } from '../config/plans.ts'
import { openSession } from '../core/accounts/access/sessions/sessions.ts'
import { type App, buildApp } from '../core/app/app.ts'
import { commandsOf, readWords, runCommand } from '../core/cli/plugins/plugin-commands.ts'
import type { Outside } from '../core/kernel/load/outside-plugins.ts'
import { hashCheaply } from '../core/lib/passwords.ts'
import { publicId } from '../core/lib/public-id.ts'
import { type Fetch, FetchFailed, type Log } from '../core/plugin.ts'
import type { RunTimeSettings, SettingsStore } from '../core/settings/settings.ts'
import type { Database, Storage } from '../core/storage/database.ts'
import { version } from '../package.json'
import { openStorage, settingsInMemory } from './open-storage.ts'
import { onlyOurs, type PluginOrFeature, withOurs } from './with-ours.ts'

/**
 * Linnet in the test of a plugin: the whole program with a real database in memory and a stopped clock, but
 * without a port, a file or a thread. `docs/plugins/testing.md` shows how to use it.
 */
export interface Harness {
  /** The account that everything happens for; it is an admin. */
  readonly account: { readonly id: string; readonly rowId: number }
  readonly app: App
  readonly db: Database
  /** What the log said, newest last. */
  readonly log: readonly string[]
  /**
   * Calls the API as the account, at a path below `/api/v1`; an `authorization` header takes precedence over
   * its session.
   *
   * @example
   * const { status, body } = await linnet.api('POST', '/moods', { name: 'calm' })
   */
  api(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>
  /**
   * Creates a link and returns it as the API shows it; `originalUrl` may be left out. Throws unless the answer
   * is 201.
   */
  create(fields?: Readonly<Record<string, unknown>>): Promise<ShownLink>
  /**
   * Follows a link, by its code or as the API shows it, or requests any other path outside of the API.
   *
   * @example
   * const { location } = await linnet.visit(link, { headers: { 'accept-language': 'de' } })
   * const { status, text } = await linnet.visit('bio/ada')
   */
  visit(link: string | Pick<ShownLink, 'shortCode'>, visit?: VisitOptions): Promise<Visited>
  /** The counts of a link, such as `{ visitsByBrowser: { Firefox: 2 } }`. */
  counts(link: Pick<ShownLink, 'id'>): Promise<Record<string, Record<string, number>>>
  /**
   * Runs a job now. Throws what it throws.
   *
   * @example
   * await linnet.run('acme.moods.tidy')
   */
  run(job: string): Promise<void>
  /**
   * Runs a command of a plugin, with what would follow `linnet run`. Throws what the command refuses or throws, and a
   * sentence if the words are wrong. Resolves to the lines that it printed.
   *
   * @example
   * const lines = await linnet.command('import-moods', 'moods.csv', '--account', 'ada@example.org')
   */
  command(...words: readonly string[]): Promise<readonly string[]>
  /** Waits until plugins have had their `events`, and have finished what they do `on` a change, after the answer. */
  settled(): Promise<void>
  /** Moves the clock to a moment. */
  at(time: string): void
  /**
   * Starts with the same data and other plugins, and with what else is given in place of the options, like a restart with
   * another configuration. What it resolves to takes the place of this one, which answers nothing any more.
   *
   * @example
   * const off = await linnet.restart([])
   */
  restart(plugins: readonly PluginOrFeature[], changed?: HarnessOptions): Promise<Harness>
  /** Stops Linnet, also if it was restarted since. Without it, `node --test` does not end. */
  stop(): Promise<void>
}

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string>>

/** An answer of the API. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The parsed JSON; the bytes of any other body; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  readonly body: any
}

/** A link as the API shows it, with the fields of plugins. */
export interface ShownLink {
  readonly id: string
  readonly shortCode: string
  readonly shortUrl: string
  readonly [field: string]: unknown
}

export interface VisitOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The query with its question mark. */
  readonly query?: string
  /** By default none, not even a user agent. */
  readonly headers?: Headers
  readonly ip?: string
  /** Answers to the questions of an asking page. */
  readonly answers?: Readonly<Record<string, string>>
  /** A body that is sent as it is, in place of answers; `headers` should say its `content-type`. */
  readonly body?: string | Uint8Array
}

/** The answer that a visitor got. */
export interface Visited {
  readonly status: number
  /** Where the redirect leads; undefined if it is not a redirect. */
  readonly location: string | undefined
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
  /** Hidden fields of an asking page, to send back with the answers. */
  readonly hidden: Readonly<Record<string, string>>
}

export interface HarnessOptions {
  /** Plan of the account; `unlimited` by default. */
  readonly plan?: string
  /** Settings that an admin changed at run time. */
  readonly settings?: RunTimeSettings
  readonly env?: Readonly<Record<string, string>>
  /** Whether the environment determines which plugins are on. */
  readonly pluginsFixed?: boolean
  /** An MMDB file with the locations of addresses; by default the one that comes with Linnet. */
  readonly geoipFile?: string | undefined
  /** The folder for newer location files; none by default. */
  readonly placesFolder?: string
  /** The folder for files of plugins; none by default. */
  readonly filesFolder?: string
  /** Replaces `context.fetch`, which throws by default. */
  readonly fetch?: Fetch
  /** Replaces `context.resolveTxt`, which throws by default. */
  readonly resolveTxt?: (name: string) => Promise<readonly string[]>
  /** The initial time of the clock, as ISO 8601. */
  readonly at?: string
  /** For how many days deleted links can be restored; 30 by default. */
  readonly deletedDays?: number
  /** Schemes that addresses of links may have besides http and https; none by default. */
  readonly targetSchemes?: readonly string[]
  /** Plugins that did not come with Linnet; none by default. */
  readonly outside?: Outside
  /** How long hooks of plugins are waited for, in milliseconds; by default so long that none is late. */
  readonly patienceMs?: number
  /** Go on without plugins that could not start, as an instance does; by default `boot` throws. */
  readonly withoutLeftOut?: boolean
}

interface Kept {
  readonly storage: Storage
  readonly account: Harness['account']
  readonly settings: SettingsStore
  readonly clock: { now: Date }
  readonly options: HarnessOptions
  /** What runs now: `stop` of the first harness stops it, however often it was restarted. */
  readonly running: { app?: App }
}

const origin = 'https://go.example.org'
const hourMs = 3_600_000
/** How long to wait, in milliseconds: a test must not fail because the machine is busy. */
const patienceMs = 30_000

// These tests need hashes, but not their cost.
hashCheaply()

/**
 * Starts Linnet with only these plugins and those of ours that they need. Ours can be given by feature:
 * `boot([hours, 'link.passwordProtection'])`. Throws what the start throws, and if one of them could not start.
 *
 * @example
 * const linnet = await boot(hours, { at: '2026-11-20T08:00:00Z' })
 * const link = await linnet.create({ opensAt: '09:00' })
 * assert.equal((await linnet.visit(link)).status, 403)
 * await linnet.stop()
 */
export async function boot(
  plugins: PluginOrFeature | readonly PluginOrFeature[],
  options: HarnessOptions = {},
): Promise<Harness> {
  const given = [plugins].flat()
  const storage = await openStorage(await onlyOurs(await withOurs(given)))
  const clock = { now: new Date(options.at ?? '2026-11-20T12:00:00Z') }
  const account = await makeAccount(storage.db, options.plan ?? 'unlimited', clock.now)
  const shown = { id: publicId('acc', account.id), rowId: account.id }
  const settings = settingsInMemory(options.settings)
  return start(given, { storage, settings, account: shown, clock, options, running: {} })
}

/** Without a password, so that no test is asked for one. */
function makeAccount(db: Database, plan: string, at: Date): Promise<{ readonly id: number }> {
  return db
    .insertInto('accounts')
    .values({
      email: 'ada@example.org',
      full_name: 'Ada Lovelace',
      password_hash: null,
      is_admin: 1,
      plan,
      created_at: at.getTime(),
      updated_at: at.getTime(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

async function start(given: readonly PluginOrFeature[], kept: Kept): Promise<Harness> {
  const plugins = await withOurs(given)
  const { storage, clock, options } = kept
  const signIn = keepSignedIn(storage.db, kept.account.rowId, clock)
  const log: string[] = []
  const app = await buildApp({
    // The database outlives a restart.
    storage: { ...storage, close: async () => undefined },
    settings: kept.settings,
    registry: Object.fromEntries(
      plugins.map(plugin => [plugin.feature, async () => ({ default: plugin })]),
    ),
    choice: {
      fixed: options.pluginsFixed ? plugins.map(({ feature }) => feature) : undefined,
      usual: plugins.map(({ feature }) => feature),
    },
    contract,
    plans: defaultPlans,
    features: defaultFeatures,
    baseUrl: origin,
    trustedProxies: { kind: 'none' },
    ...(options.outside && { outside: options.outside }),
    placeSource: {
      own: options.geoipFile === undefined ? [] : [options.geoipFile],
      folder: options.placesFolder,
    },
    ...(options.filesFolder !== undefined && { filesFolder: options.filesFolder }),
    ...(options.deletedDays !== undefined && { deletedDays: options.deletedDays }),
    ...(options.targetSchemes && { targetSchemes: options.targetSchemes }),
    env: options.env ?? {},
    log: logInto(log),
    now: () => clock.now,
    version,
    fetch: options.fetch ?? fetchNothing,
    resolveTxt: options.resolveTxt ?? resolveNothing,
    patienceMs: options.patienceMs ?? patienceMs,
    checkAnswers: true,
  })

  const leftOut = Object.entries(app.plugins.leftOut)
  if (leftOut.length > 0 && !options.withoutLeftOut) {
    await app.close()
    throw new Error(leftOut.map(([feature, why]) => `${feature} does not run: ${why}.`).join(' '))
  }

  kept.running.app = app
  const harness: Harness = {
    account: kept.account,
    app,
    db: storage.db,
    log,

    async api(method, path, body, headers) {
      const answer = await inject(app.server.handle, {
        method: method as 'GET',
        url: `/api/v1${path}`,
        headers: {
          cookie: `__Host-linnet=${await signIn()}`,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: bodyOf(answer),
      }
    },

    async create(fields = {}) {
      const answer = await harness.api('POST', '/links', {
        originalUrl: 'https://example.com/',
        ...fields,
      })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body.data
    },

    async visit(link, visit = {}) {
      const code = typeof link === 'string' ? link : link.shortCode
      const { answers, body, query = '', ip = '203.0.113.7' } = visit
      return visited(
        await inject(app.server.handle, {
          method: visit.method ?? (answers || body !== undefined ? 'POST' : 'GET'),
          url: `/${code}${query}`,
          remoteAddress: ip,
          headers: {
            // Otherwise the library would send its own name, which counts as a robot's.
            'user-agent': '',
            ...(answers && { 'content-type': 'application/x-www-form-urlencoded' }),
            ...visit.headers,
          },
          ...(answers && { payload: new URLSearchParams(answers).toString() }),
          ...(body !== undefined && { payload: Buffer.from(body) }),
        }),
      )
    },

    async counts({ id }) {
      // To the end of the hour, because the clock may stand at its very beginning.
      const to = new Date(clock.now.getTime() + hourMs).toISOString()
      const span = `from=2000-01-01T00:00:00Z&to=${to}&granularity=month`
      const answer = await harness.api('GET', `/links/${id}/analytics?${span}&limit=1000`)
      return countsIn(answer.body.data)
    },

    async run(job) {
      if (!(await app.jobs.run(job))) throw new Error(`There is no job ${job}, or it is running.`)
      const state = (await app.jobs.list()).find(({ name }) => name === job)
      if (state?.error) throw new Error(state.error)
    },

    async command(...words) {
      const { running } = app.plugins
      const quiet = { writeErr: () => undefined }
      const read = await readWords(words, commandsOf(running.map(it => it.plugin)), quiet)
      const member = running.find(({ plugin }) => plugin.feature === read?.feature)
      const lines: string[] = []
      const write = async (line: string) => void lines.push(line)
      if (read && member) await runCommand(read, member, { db: storage.db, write })
      return lines
    },

    async settled() {
      while (app.underWay().length > 0 || app.isDelivering()) await turn()
    },

    at(time) {
      clock.now = new Date(time)
    },

    async restart(others, changed) {
      await end(kept)
      return start(others, { ...kept, options: { ...options, ...changed } })
    },

    async stop() {
      await end(kept)
      await storage.close()
    },
  }
  return harness
}

async function end({ running }: Kept): Promise<void> {
  const { app } = running
  delete running.app
  await app?.close()
}

/** A session of the account, opened again whenever the clock has moved, so that moving it signs nobody out. */
function keepSignedIn(
  db: Database,
  accountId: number,
  clock: Kept['clock'],
): () => Promise<string> {
  let session: { readonly since: Date; readonly id: Promise<string> } | undefined
  return () => {
    const since = clock.now
    if (session?.since !== since) session = { since, id: openSession(db, accountId, () => since) }
    return session.id
  }
}

function bodyOf({ headers, payload, rawPayload }: Response): unknown {
  if (payload === '') return undefined
  return /json$/.test(String(headers['content-type'])) ? JSON.parse(payload) : rawPayload
}

function visited(answer: Response): Visited {
  const location = answer.headers.location
  const inputs = answer.payload.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return {
    status: answer.statusCode,
    location: location === undefined ? undefined : String(location),
    text: answer.payload,
    headers: answer.headers,
    hidden: Object.fromEntries([...inputs].map(([, name, value]) => [name, value])),
  }
}

type Rows = readonly { readonly value?: string; readonly visits: number }[]

function countsIn(data: Readonly<Record<string, unknown>>): Record<string, Record<string, number>> {
  const lists = Object.entries(data).filter((entry): entry is [string, Rows] =>
    Array.isArray(entry[1]),
  )
  const charts = lists.map(([name, rows]) => [name, countsByValue(rows)] as const)
  const totals = Object.entries(data.totals as Record<string, number>)
  return Object.fromEntries([
    ...totals.map(([name, sum]) => [name, { '': sum }] as const),
    ...charts,
  ])
}

function countsByValue(rows: Rows): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { value = '', visits } of rows) {
    // This entry stands for the visits without a value, which the plugin did not count.
    if (value !== '(none)') counts[value] = (counts[value] ?? 0) + visits
  }
  return counts
}

/** A test that accesses the network by accident would pass today and fail on a train. */
async function fetchNothing(url: string): Promise<never> {
  throw new FetchFailed(`A test gives its own fetch to boot before ${new URL(url).host} is asked.`)
}

async function resolveNothing(name: string): Promise<never> {
  throw new Error(`A test gives its own resolveTxt to boot before the DNS is asked for ${name}.`)
}

function logInto(lines: string[]): Log {
  const write = (message: string) => {
    lines.push(message)
  }
  return { info: write, warn: write, error: write }
}
