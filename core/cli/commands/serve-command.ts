import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { bootstrapTokenId, isGuessable } from '../../accounts/access/bootstrap-token.ts'
import {
  ensureAdmin,
  isSetUp,
  keepBootstrapToken,
  UnfitAdmin,
} from '../../accounts/access/set-up.ts'
import { type App, buildApp } from '../../app/app.ts'
import { createLog, linesTo, type RootLog } from '../../http/server/log.ts'
import { boundLog } from '../../kernel/contain/bound-log.ts'
import { createCulpritFinder, isFrom } from '../../kernel/contain/culprit.ts'
import { loadPlugins } from '../../kernel/load/load-plugins.ts'
import { secretNames } from '../../kernel/run/plugin-settings.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Log } from '../../plugin.ts'
import { settingsBeside } from '../../storage/backups/settings-beside.ts'
import { closeToOthers } from '../../storage/files/close-folder.ts'
import { keepReserve } from '../../storage/files/keep-reserve.ts'
import type { FolderLock } from '../../storage/files/lock.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { watchLock } from '../../storage/files/watch-lock.ts'
import { type DataFolder, withDataFolder, withLock } from '../data-folder.ts'
import { settingsAsText } from '../describe-settings.ts'
import { endProcess, heldByThreads, untilStopped } from '../end-process.ts'
import { databaseFile } from '../find-instance.ts'
import { type HeldPort, holdFreePort, whyNotListening } from '../free-port.ts'
import { keepTick } from '../keep-tick.ts'
import { packagesOverApi } from '../plugins/packages-over-api.ts'
import { stateOf, watchForChanges } from '../plugins/watch-for-changes.ts'
import { offerOf, withOutside } from '../plugins/with-outside.ts'
import { placeSourceOf, type Setting } from '../setting.ts'
import { type ServerSettings, warnOfUnknown } from '../settings-from-env.ts'
import { UserError } from '../user-error.ts'

/** `linnet serve` */
export function addServeCommand(program: Command, setting: Setting): void {
  program
    .command('serve')
    .description('Run the server until it is told to stop.')
    .addHelpText('after', () => `\nEnvironment:\n${settingsAsText(setting.table)}`)
    .addHelpText(
      'after',
      `
Examples:
  linnet serve
  LINNET_PORT=80 LINNET_BASE_URL=https://go.example.org linnet serve`,
    )
    .action(() =>
      withLock(setting, lock =>
        withDataFolder(setting, it => serve(setting, it, lock), {
          serves: true,
          version: setting.version,
        }),
      ),
    )
}

/** The whole stop takes ten seconds, and that is the time to end without being killed. */
const stopMs = 9_700

async function serve(ours: Setting, folder: DataFolder, taken: FolderLock): Promise<void> {
  const held = await holdPort(folder.server)
  const server = { ...folder.server, ...(held && withPort(folder.server, held)) }
  const log = createLog(server.logLevel, linesTo(server.logFormat))
  const stopped = untilStopped(log)
  const lock = watchLock(taken, log)
  const seen = stateOf(server.dataDir)
  const findPlugins = () => withOutside(ours, server, folder.settings.read().plugins)
  const setting = await findPlugins()
  let offer = offerOf(setting, server)
  surviveStrayFailures(setting, () => offer, log)
  keepTick()

  closeToOthers(server.dataDir, log)
  const { file } = folder.storage
  const reserve = file === undefined ? undefined : await keepReserve(file, log)
  await ensureFirstAdmin(server, folder, log)
  const app = await buildApp({
    ...setting,
    storage: folder.storage,
    settings: folder.settings,
    choice: offer.choice,
    packages: packagesOverApi(ours, server),
    async lookForPlugins() {
      offer = offerOf(await findPlugins(), server)
      return offer
    },
    ownNetwork: server.ownNetwork,
    baseUrl: server.baseUrl,
    trustedProxies: server.trustedProxies,
    corsOrigins: server.corsOrigins,
    otherHosts: server.otherHosts,
    fastLane: server.fastLane,
    placeSource: placeSourceOf(server),
    kept: { hourly: server.hourlyDays, counts: server.retentionDays },
    backupsKept: server.backupsKept,
    machine: `${hostname()}:${resolve(server.dataDir)}`,
    log,
    logsAddresses: server.logsAddresses,
    now: () => new Date(),
    nowMs: Date.now,
  })
  for (const warning of await unknownVariables(setting, app)) log.warn(warning)
  await listen(app, server, held)
  app.jobs.start()
  const watched = { dataDir: server.dataDir, first: seen, news: folder.storage.news }
  const watch = watchForChanges(watched, app.lookForPlugins, log)
  const ignored = warnOfSettingsFile(server, log)
  await greet(app, server, log)
  warnOfTrust(server, log)
  warnOfUnusedFile(server, log)
  await tellOfBootstrapToken(app, server, log)

  const signal = await stopped
  log.info(`${signal}: stopping`)
  watch.stop()
  ignored.stop()
  reserve?.stop()
  const lastResort = setTimeout(() => {
    log.error('Stopping takes too long: exiting now')
    endProcess(1)
  }, stopMs)
  const { lost } = await app.close()
  clearTimeout(lastResort)
  for (const held of heldByThreads()) log.warn(`${held} was still running and is aborted`)
  lock.release()
  if (lost > 0) {
    const are = lost === 1 ? 'is' : 'are'
    throw new UserError(`${counted(lost, 'visit')} could not be written and ${are} lost.`)
  }
  log.info('Stopped')
}

async function ensureFirstAdmin(
  server: ServerSettings,
  { storage }: DataFolder,
  log: RootLog,
): Promise<void> {
  const { adminEmail: email, adminPassword: password, bootstrapToken: token } = server
  const now = () => new Date()
  try {
    if (email !== undefined && password !== undefined) {
      await ensureAdmin(storage.db, { email, password, fullName: null, token }, now)
    } else if (token !== undefined) await keepBootstrapToken(storage.db, token, now)
  } catch (error) {
    if (error instanceof UnfitAdmin) {
      throw new UserError(`LINNET_ADMIN_PASSWORD cannot be used: ${error.message}`)
    }
    // Links can be followed all the same, and that is worth more than a new token.
    if (!isOutOfReach(error) || !(await isSetUp(storage.db))) throw error
    log.error('LINNET_BOOTSTRAP_TOKEN could not be checked: nothing can be written.')
  }
}

/** Variables of plugins that are off are known too, but only what looks unknown is worth loading those. */
async function unknownVariables(
  { env, table, registry }: Setting,
  { plugins: { running } }: App,
): Promise<readonly string[]> {
  const secrets = running.flatMap(({ plugin }) => secretNames(plugin))
  if (warnOfUnknown(env, table, secrets).length === 0) return []
  const { plugins } = await loadPlugins(registry, Object.keys(registry))
  return warnOfUnknown(env, table, [...secrets, ...plugins.flatMap(secretNames)])
}

async function listen(
  app: App,
  { host, port }: ServerSettings,
  held: HeldPort | undefined,
): Promise<void> {
  try {
    await app.server.listen(held?.holder ?? port, host)
  } catch (error) {
    await app.close()
    throw new UserError(whyNotListening(error, host, `Port ${port}`))
  }
}

async function greet(app: App, server: ServerSettings, log: RootLog): Promise<void> {
  const { host, port, baseUrl, dataDir } = server
  log.info(`Linnet is ready at ${baseUrl}`, { url: baseUrl, host, port, dataDir })
  const code = await app.setUp.oneTimeCode()
  if (code === undefined) return
  const hasHome = app.plugins.running.some(({ plugin }) => plugin.site?.home)
  // What follows a # stays in the browser.
  const way = hasHome ? `open ${baseUrl}/#${code}` : `POST ${baseUrl}/api/v1/setup`
  log.info(
    `There is no account yet. Create the first admin with this one-time code: ${code} ` +
      `(${way}, or linnet setup)`,
    { setupCode: code },
  )
}

/** With a number of proxies whoever connects is taken for the nearest of them, and may say any address. */
function warnOfTrust({ trustedProxies, host }: ServerSettings, log: RootLog): void {
  if (trustedProxies.kind !== 'hops' || /^(localhost|127\.|::1$)/.test(host)) return
  log.warn(
    'LINNET_TRUSTED_PROXIES is a number, so anyone who reaches this port without a proxy can fake their IP address. ' +
      'Set the networks of the proxies instead, such as 10.0.0.0/8, or make sure that only the proxy reaches the port.',
  )
}

/** Who sets DATABASE_URL on an instance that has links finds none of them. */
function warnOfUnusedFile(server: ServerSettings, log: RootLog): void {
  const file = databaseFile(server)
  if (server.databaseUrl === undefined || !existsSync(file)) return
  log.warn(`${file} is not used, and its links are not found: DATABASE_URL is set.`)
}

/** Settings that all servers share are not read from a file; who writes one is told of that, once. */
function warnOfSettingsFile(server: ServerSettings, log: RootLog): { stop(): void } {
  const path = settingsBeside(databaseFile(server))
  const look = () => {
    if (server.databaseUrl === undefined || !existsSync(path)) return
    clearInterval(timer)
    log.warn(
      `${path} is not read: with DATABASE_URL settings are in the database. Change them in the dashboard, over the ` +
        'API or with linnet plugins.',
    )
  }
  const timer = setInterval(look, settingsFileMs).unref()
  look()
  return { stop: () => clearInterval(timer) }
}

const settingsFileMs = 5_000

/** It may do everything, until somebody revokes it. */
async function tellOfBootstrapToken(app: App, server: ServerSettings, log: RootLog): Promise<void> {
  const id = await bootstrapTokenId(app.db)
  if (id === undefined) return
  const { bootstrapToken: token } = server
  log.info(
    'The token of LINNET_BOOTSTRAP_TOKEN is active and may do everything. ' +
      `To end it, ${token === undefined ? '' : 'unset the variable, then '}DELETE /api/v1/api-tokens/${id}`,
    { token: id },
  )
  if (token !== undefined && isGuessable(token)) {
    log.warn('LINNET_BOOTSTRAP_TOKEN repeats itself and can be guessed: use a random one.')
  }
}

/** What a plugin leaves behind in a timer, or ends, must not end the process; what we leave behind must. */
function surviveStrayFailures(
  { recorderUrl }: Setting,
  offer: () => ReturnType<typeof offerOf>,
  log: RootLog,
): void {
  const programFolder = dirname(fileURLToPath(recorderUrl))
  const logs = new Map<string, Log>()
  const findCulprit = (error: unknown) => {
    const { registry, outside } = offer()
    return createCulpritFinder(registry, outside.plugins)(error)
  }
  const survive = (error: unknown) => {
    const feature = findCulprit(error)
    if (feature === undefined && isFrom(error, programFolder)) {
      log.error('A bug ends the process', { error })
      process.exit(70)
    }
    const who = feature ?? 'Some plugin'
    const bounded = logs.get(who) ?? boundLog(log, who)
    logs.set(who, bounded)
    bounded.error(`${who} failed outside of its hooks`, { feature, error })
  }
  process.on('uncaughtException', survive)
  process.on('unhandledRejection', survive)
  const exit = process.exit.bind(process)
  process.exit = code => {
    const feature = findCulprit(new Error('exit'))
    if (feature !== undefined) throw new Error(`${feature} tried to end the process`)
    return exit(code)
  }
}

/** Port 0 means any free one, and short URLs must know which before the first of them is made. */
async function holdPort({ port, host }: ServerSettings): Promise<HeldPort | undefined> {
  if (port !== 0) return undefined
  return holdFreePort(host).catch(error => {
    throw new UserError(whyNotListening(error, host, 'No port'))
  })
}

function withPort({ baseUrl }: ServerSettings, { port }: HeldPort) {
  return { port, baseUrl: baseUrl.replace(/:0$/, `:${port}`) }
}
