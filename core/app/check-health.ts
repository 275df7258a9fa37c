import { countRequiredSteps } from '../accounts/access/account-steps.ts'
import { notesOnPlaces } from '../doctor/examine-places.ts'
import type { Check, Checks } from '../http/routes/health-routes.ts'
import type { ConnectionHealth } from '../http/server/limit-connections.ts'
import type { Containment } from '../kernel/contain/contain.ts'
import type { Delivery } from '../kernel/events/delivery.ts'
import type { BroughtLanguage } from '../kernel/hooks/languages.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { changedByNewer } from '../kernel/run/plugin-migrations.ts'
import type { RunningPlugins } from '../kernel/run/start-plugins.ts'
import { counted, shorten } from '../lib/text/shown.ts'
import type { Hosts } from '../links/follow/hosts.ts'
import type { PluginPackages } from '../outside/packages.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { mostWaitingInWords } from '../storage/bound-outbox.ts'
import type { Storage } from '../storage/database.ts'
import type { Listener } from '../storage/outbox.ts'
import type { Recorder } from '../visits/collect/recorder.ts'
import type { Places } from '../visits/facts/open-places.ts'

/**
 * Checks the health of the parts. A check fails only if links cannot be followed. It is degraded if anything else does
 * not work: nothing can be written, visits wait for the disk, countries are unknown, a plugin is left out, or a hook is
 * suspended. A problem that is over is a note.
 */
export async function checkHealth({
  storage,
  recorder,
  places,
  plugins,
  contain,
  jobs,
  settings,
  connections,
  packages,
  delivery,
  languages,
  hosts,
  now,
}: {
  readonly storage: Pick<Storage, 'db' | 'canFollow' | 'writeTrouble' | 'damage' | 'lostPages'>
  readonly recorder: Recorder
  readonly places: Places
  readonly plugins: RunningPlugins
  readonly contain: Containment
  readonly jobs: Jobs
  readonly settings: Pick<SettingsStore, 'isUsable'>
  readonly connections: ConnectionHealth
  readonly packages?: PluginPackages | undefined
  readonly delivery: Pick<Delivery, 'failing' | 'lost'>
  readonly languages: readonly BroughtLanguage[]
  readonly hosts: Pick<Hosts, 'failing' | 'contested'>
  readonly now: Date
}): Promise<Checks> {
  return {
    storage: await checkStorage(storage),
    visits: checkVisits(recorder, places, now),
    plugins: checkPlugins(plugins, contain, settings, {
      older: await olderThanTables(storage, plugins),
      withdrawn: packages?.index?.withdrawn(packages.list()) ?? [],
      failing: await delivery.failing().catch(() => []),
      lost: await delivery.lost().catch(() => new Map()),
      shut: [...(await shutAccounts(storage, plugins)), ...shutHosts(hosts)],
      languages,
    }),
    jobs: await checkJobs(jobs),
    connections: checkConnections(connections),
  }
}

function checkConnections({ open, most, turnedAway, cutOff }: ConnectionHealth): Check {
  const notes = [
    ...(turnedAway === 0
      ? []
      : [
          `${counted(turnedAway, 'connection')} ${turnedAway === 1 ? 'was' : 'were'} turned away: ${most} can be open at a time.`,
        ]),
    ...(cutOff === 0
      ? []
      : [
          `${counted(cutOff, 'connection')} ${cutOff === 1 ? 'was' : 'were'} cut off: clients did not read answers, or sent too many requests ahead.`,
        ]),
  ]
  return { status: open < most ? 'ok' : 'degraded', ...note(notes) }
}

async function checkStorage({
  canFollow,
  writeTrouble,
  damage,
  lostPages,
}: Pick<Storage, 'canFollow' | 'writeTrouble' | 'damage' | 'lostPages'>): Promise<Check> {
  const answers = await canFollow()
  if (damage.found() !== undefined) {
    return { status: 'failing', note: `The database is damaged. ${damage.remedy}` }
  }
  if (!answers) {
    return { status: 'failing', note: 'The database does not respond. The log says why.' }
  }
  const trouble = writeTrouble()
  const notes = [
    ...(trouble === undefined ? [] : [`Links work, but nothing can be written: ${trouble}.`]),
    ...(lostPages === 0 ? [] : [lostLog]),
  ]
  return { status: notes.length === 0 ? 'ok' : 'degraded', ...note(notes) }
}

const lostLog =
  'The write-ahead log was damaged or missing at the start. The last changes before it may be lost.'

function checkVisits(recorder: Recorder, places: Places, now: Date): Check {
  const troubles = places.troubles()
  const { queued, dropped, isMemoryShort, failing, failedDimensions } = recorder.health()
  const isWell = failing === undefined && !isMemoryShort && troubles.length === 0
  const notes = [
    ...(isMemoryShort ? ['Memory is short, so visits are not counted now.'] : []),
    ...(failing === undefined
      ? []
      : [`Visits cannot be written: ${failing}. ${queued} are waiting.`]),
    ...(dropped === 0
      ? []
      : [`${counted(dropped, 'visit')} ${dropped === 1 ? 'was' : 'were'} dropped.`]),
    ...Object.entries(failedDimensions).map(
      ([name, count]) => `${name} failed on ${counted(count, 'visit')}.`,
    ),
    ...troubles,
    ...notesOnPlaces(places, now),
  ]
  return { status: isWell ? 'ok' : 'degraded', ...note(notes) }
}

/** Which accounts need a second step of a plugin that does not run. Empty if the database does not answer. */
async function shutAccounts(
  { db }: Pick<Storage, 'db'>,
  { running }: RunningPlugins,
): Promise<readonly string[]> {
  const runs = new Set<string>(running.map(({ plugin }) => plugin.feature))
  const needed = await countRequiredSteps(db).catch(() => [])
  return [...needed].flatMap(([feature, accounts]) =>
    runs.has(feature)
      ? []
      : [`${counted(accounts, 'account')} cannot sign in without ${feature}, which does not run.`],
  )
}

function shutHosts(hosts: Pick<Hosts, 'failing' | 'contested'>): readonly string[] {
  const contested = hosts
    .contested()
    .slice(0, 5)
    .map(
      ({ name, owner, feature }) =>
        `${feature} names ${name}, which is a host of ${owner}: its links there are not followed.`,
    )
  const failing = hosts
    .failing()
    .map(
      feature =>
        `${feature} could not list its hosts and is asked again every few seconds. Links on those of them that were not known before are closed.`,
    )
  return [...failing, ...contested]
}

/** Empty if the database does not answer, which another check reports. */
async function olderThanTables(
  { db }: Pick<Storage, 'db'>,
  { running }: RunningPlugins,
): Promise<readonly string[]> {
  const all = running.map(({ plugin }) => plugin)
  return changedByNewer(db, all).catch(() => [])
}

function checkPlugins(
  { leftOut, heldBack }: RunningPlugins,
  contain: Containment,
  settings: Pick<SettingsStore, 'isUsable'>,
  {
    older,
    withdrawn,
    shut,
    failing: unheard,
    lost,
    languages,
  }: Readonly<Record<'older' | 'withdrawn' | 'shut', readonly string[]>> & {
    readonly failing: readonly Listener[]
    readonly lost: ReadonlyMap<string, number>
    readonly languages: readonly BroughtLanguage[]
  },
): Check {
  const failing = Object.entries(contain.health())
  const isWhole = Object.keys({ ...leftOut, ...heldBack }).length === 0
  const isWell =
    settings.isUsable() &&
    isWhole &&
    older.length + withdrawn.length + shut.length + unheard.length + lost.size === 0 &&
    contain.writingTime.late().size === 0 &&
    !failing.some(([, { open }]) => open)
  const notes = [
    ...(settings.isUsable() ? [] : [unusableSettings]),
    ...Object.entries(leftOut).map(([feature, why]) => `${feature} does not run: ${why}.`),
    ...Object.entries(heldBack).map(
      ([feature, why]) => `${feature} runs as before its last change: ${why}.`,
    ),
    ...older.map(
      feature =>
        `A newer version of ${feature}, of another server or installed here before, has changed its tables: install that version.`,
    ),
    ...withdrawn,
    ...shut,
    ...unheard.map(
      ({ feature, failures, problem }) =>
        `Events wait for ${feature}, which failed of the next one: ${problem}. Failures in a row: ${failures}.`,
    ),
    ...[...lost].map(
      ([feature, count]) =>
        `Events for ${feature} were dropped, because more than ${mostWaitingInWords} waited: ${count}.`,
    ),
    ...contain
      .strays()
      .map(
        feature =>
          `${feature} was switched off or replaced, but what it left running goes on: restart Linnet to end it.`,
      ),
    ...[...contain.writingTime.late()].map(
      ([feature, ms]) =>
        `${feature} kept everybody from writing: its last transaction was undone after ${ms / 1_000} s.`,
    ),
    ...failing.map(
      ([hook, { failures, open }]) =>
        `${hook} failed ${failures === 1 ? 'once' : `${failures} times in a row`}${open ? ' and is only tried every 30 s' : ''}.`,
    ),
    ...languages.flatMap(notesOnLanguage),
  ]
  return { status: isWell ? 'ok' : 'degraded', ...note(notes) }
}

/** What does not fit stays English, which is no reason to wake anybody. */
function notesOnLanguage({ feature, name, unfit }: BroughtLanguage): readonly string[] {
  const [first, ...others] = unfit
  if (!first) return []
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more text')}`
  return [
    `${feature} does not translate “${shorten(first.text, 60)}”${more} into ${name} as it should: ${first.why}.`,
  ]
}

const unusableSettings =
  'The settings, in settings.json of the data folder or in the database, are invalid and not in effect. Correct them; the log says what is wrong.'

/** A job that runs longer than this is overdue, in milliseconds. */
const overdueMs = 3_600_000

async function checkJobs(jobs: Jobs): Promise<Check> {
  const overdue = jobs.running().filter(({ ms }) => ms > overdueMs)
  const notes = [
    ...overdue.map(
      ({ name, ms }) => `${name} has been running for ${Math.floor(ms / 60_000)} minutes.`,
    ),
    ...(await failedJobs(jobs)).map(name => `The last run of ${name} failed.`),
  ]
  return { status: notes.length === 0 ? 'ok' : 'degraded', ...note(notes) }
}

/** Empty if the database does not answer, which another check reports. */
async function failedJobs(jobs: Jobs): Promise<readonly string[]> {
  const states = await jobs.list().catch(() => [])
  return states.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
}

function note(sentences: readonly string[]): { note?: string } {
  return sentences.length === 0 ? {} : { note: sentences.join(' ') }
}
