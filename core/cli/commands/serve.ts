import { hostname } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isNativeError } from 'node:util/types'
import {
  ensureAdmin,
  isSetUp,
  keepBootstrapToken,
  UnfitAdmin,
} from '../../accounts/access/set-up.ts'
import { type App, buildApp } from '../../app/app.ts'
import { createLog, logLinesTo } from '../../http/server/log.ts'
import {
  createFindBlamedPlugin,
  createOutsideSoFar,
  isFrom,
  type OutsideSoFar,
} from '../../kernel/contain/blamed-plugin.ts'
import { boundLog } from '../../kernel/contain/bound-log.ts'
import { caught } from '../../lib/caught.ts'
import { isEverything } from '../../lib/net/own-network.ts'
import { hostName } from '../../lib/net/web-address.ts'
import { counted } from '../../lib/text/shown.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Log } from '../../plugin.ts'
import { closeToOthers } from '../../storage/files/close-folder.ts'
import { type FolderLock, watchLock } from '../../storage/files/lock.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { keepReserve } from '../../storage/files/reserve.ts'
import { connectionLimits } from '../connection-limits.ts'
import type { DataFolder } from '../data-folder.ts'
import { endProcess, heldByThreads, untilStopped } from '../end-process.ts'
import { type HeldPort, whyNotListening } from '../free-port.ts'
import { keepTicksFast } from '../keep-ticks-fast.ts'
import { packagesOverApi } from '../plugins/packages-over-api.ts'
import { stateOf, watchForChanges } from '../plugins/watch-for-changes.ts'
import { watchIndex } from '../plugins/watch-index.ts'
import { availablePlugins, withOutside } from '../plugins/with-outside.ts'
import { filesFolderOf, placeSourceOf, type Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'
import { tellReady } from '../workers.ts'
import { tellOperator } from './tell-operator.ts'

/** How long a stop may take, in milliseconds. Supervisors kill a process that has not ended after ten seconds. */
const stopMs = 9_700

export interface Serving {
  /** Absent if the process that started this worker holds it. */
  readonly lock?: FolderLock | undefined
  /** The port to serve on, if the settings left it open. */
  readonly held?: HeldPort | undefined
  /** The number of the worker, from 1. Absent if this is the only process. */
  readonly worker?: string | undefined
}

/** A request says which host it is for, and nothing of the port that a proxy took it on. */
function checkHosts({ baseUrl, dashboardUrl = baseUrl }: ServerSettings): void {
  const [short, dashboard] = [baseUrl, dashboardUrl].map(url => hostName(new URL(url).host))
  if (short !== dashboard || baseUrl === dashboardUrl) return
  throw new UserError(
    `LINNET_DASHBOARD_URL is ${dashboardUrl}, on the host of LINNET_BASE_URL, which is ${baseUrl}: give it a host of its own, or unset it.`,
  )
}

/** Serves until the process is told to stop, and then stops in good order. */
export async function serve(
  ours: Setting,
  folder: DataFolder,
  { lock: taken, held, worker }: Serving,
): Promise<void> {
  const { server } = folder
  checkHosts(server)
  const log = createLog(server.logLevel, logLinesTo(server.logFormat), worker ? { worker } : {})
  const stopped = untilStopped(log)
  const lock = taken && watchLock(taken, log)
  const isFirst = worker === undefined || worker === '1'
  const seen = stateOf(server.dataDir)
  const findPlugins = () => withOutside(ours, server, folder.settings.read().plugins)
  const setting = await findPlugins()
  let available = availablePlugins(setting, server)
  const outside = createOutsideSoFar()
  outside.add(available.outside.plugins)
  let app: App | undefined
  surviveStrayFailures(
    setting,
    () => available,
    outside,
    log,
    feature => app?.noteStray(feature),
  )
  keepTicksFast()

  if (isEverything(server.ownNetwork)) {
    log.warn(
      'LINNET_FETCH_ALLOW lets plugins connect to this machine and to all private networks around it',
    )
  }
  closeToOthers(server.dataDir, log)
  const { file } = folder.storage
  const reserve = file === undefined ? undefined : await keepReserve(file, log)
  await ensureFirstAdmin(server, folder, log)
  const packages = packagesOverApi(ours, server)
  app = await buildApp({
    ...setting,
    storage: folder.storage,
    settings: folder.settings,
    choice: available.choice,
    packages,
    async lookForPlugins() {
      available = availablePlugins(await findPlugins(), server)
      outside.add(available.outside.plugins)
      return available
    },
    ownNetwork: server.ownNetwork,
    targetSchemes: server.targetSchemes,
    baseUrl: server.baseUrl,
    dashboardUrl: server.dashboardUrl,
    trustedProxies: server.trustedProxies,
    corsOrigins: server.corsOrigins,
    otherHosts: server.otherHosts,
    fastLane: server.fastLane,
    connectionLimits: connectionLimits(),
    placeSource: placeSourceOf(server),
    filesFolder: filesFolderOf(server),
    kept: { hourly: server.hourlyDays, counts: server.retentionDays },
    deletedDays: server.deletedDays,
    backupsKept: server.backupsKept,
    machine: `${hostname()}:${resolve(server.dataDir)}${worker === undefined ? '' : ` worker ${worker}`}`,
    worker,
    log,
    logsAddresses: server.logsAddresses,
    now: () => new Date(),
    nowMs: Date.now,
  })
  await listen(app, server, { held, isShared: worker !== undefined })
  app.jobs.start()
  const watched = { dataDir: server.dataDir, first: seen, news: folder.storage.news }
  const watch = watchForChanges(watched, app.lookForPlugins, log)
  const index = packages.index && watchIndex(packages.index, log)
  const notices = isFirst ? await tellOperator(app, setting, server, log) : undefined
  if (worker !== undefined) tellReady()

  const signal = await stopped
  log.info(`${signal}: stopping`)
  watch.stop()
  index?.stop()
  notices?.stop()
  reserve?.stop()
  const { lost } = await closeInTime(app, log)
  for (const held of heldByThreads()) log.warn(`${held} was still running and is aborted`)
  lock?.release()
  if (lost > 0) {
    const are = lost === 1 ? 'is' : 'are'
    throw new UserError(`${counted(lost, 'visit')} could not be written and ${are} lost.`)
  }
  log.info('Stopped')
}

async function listen(
  app: App,
  { host, port }: ServerSettings,
  { held, isShared }: { readonly held: HeldPort | undefined; readonly isShared: boolean },
): Promise<void> {
  try {
    await app.server.listen(held?.holder ?? port, host, isShared)
  } catch (error) {
    await app.close()
    throw new UserError(whyNotListening(error, host, `Port ${port}`))
  }
}

async function closeInTime(app: App, log: Log): ReturnType<App['close']> {
  const lastResort = setTimeout(() => {
    log.error('Stopping takes too long: exiting now')
    endProcess(1)
  }, stopMs)
  const closed = await app.close()
  clearTimeout(lastResort)
  return closed
}

/** Makes the administrator, or keeps the token for making one, that the environment names. */
async function ensureFirstAdmin(
  server: ServerSettings,
  { storage }: DataFolder,
  log: Log,
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
    // Links can be followed anyway, and that matters more than a new token.
    if (!isOutOfReach(error) || !(await isSetUp(storage.db))) throw error
    log.error('LINNET_BOOTSTRAP_TOKEN could not be checked: nothing can be written.')
  }
}

/** An uncaught error or a `process.exit` of a plugin must not end the process; an uncaught error of our own must. */
function surviveStrayFailures(
  { recorderUrl }: Setting,
  available: () => ReturnType<typeof availablePlugins>,
  outside: OutsideSoFar,
  log: Log,
  noteStray: (feature: string) => void,
): void {
  const programFolder = dirname(fileURLToPath(recorderUrl))
  const logs = new Map<string, Log>()
  const findBlamedPlugin = (error: unknown) =>
    createFindBlamedPlugin(available().registry, outside.found())(error)
  /** Neither Linnet nor a plugin that comes with it throws what is no error, and such has no stack to tell whose it is. */
  const onlyPlugin = () => (outside.imported().length === 1 ? outside.imported()[0] : undefined)
  const survive = (thrown: unknown, origin?: unknown) => {
    const error = caught(thrown)
    const feature = findBlamedPlugin(error) ?? (isNativeError(thrown) ? undefined : onlyPlugin())
    // A plugin that does not await a query leaves a rejection whose stack has only our code.
    const isSure = origin === 'uncaughtException' || outside.imported().length === 0
    if (feature === undefined && isFrom(error, programFolder) && isSure) {
      log.error('A bug ends the process', { error })
      process.exit(70)
    }
    if (feature !== undefined) noteStray(feature)
    const who = feature ?? 'Some plugin'
    const bounded = logs.get(who) ?? boundLog(log, who)
    logs.set(who, bounded)
    bounded.error(`${who} failed outside of its hooks`, { feature, error })
  }
  process.on('uncaughtException', survive)
  process.on('unhandledRejection', survive)
  const exit = process.exit.bind(process)
  process.exit = code => {
    const feature = findBlamedPlugin(new Error('exit'))
    if (feature !== undefined) throw new Error(`${feature} tried to end the process`)
    return exit(code)
  }
}
