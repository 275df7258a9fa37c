import { createConfirmPassword } from '../accounts/access/confirm-password.ts'
import { createOneTimeLinks } from '../accounts/access/one-time-links.ts'
import { createSetUp } from '../accounts/access/set-up.ts'
import { allowsPassword } from '../accounts/access/sign-in.ts'
import { rememberLatest } from '../doctor/examine-proxies.ts'
import { createSessionCookie } from '../http/api/access/session-cookie.ts'
import { createAnswerCounts } from '../http/api/count-answers.ts'
import { watchTheme } from '../http/pages/page-theme.ts'
import { createPageSender } from '../http/pages/send-page.ts'
import { requestedHost } from '../http/request/requested-host.ts'
import { createServer } from '../http/server/server.ts'
import { warnOfLocalUrls } from '../http/server/warn-of-local-urls.ts'
import { createContainment } from '../kernel/contain/contain.ts'
import { createDelivery } from '../kernel/events/delivery.ts'
import { createListHosts } from '../kernel/hooks/list-hosts.ts'
import { createJobs } from '../kernel/jobs/jobs.ts'
import { createBoundedQueue } from '../lib/async/bounded-queue.ts'
import { createOwnTurns } from '../lib/async/own-turns.ts'
import { createSlots } from '../lib/async/slots.ts'
import { within } from '../lib/async/within.ts'
import { memoryShares } from '../lib/memory/memory-shares.ts'
import { hostName } from '../lib/net/web-address.ts'
import { createBodyMemory } from '../limits/body-memory.ts'
import { createGuesses } from '../limits/guesses.ts'
import { createSecurityLog } from '../limits/security-log.ts'
import { shareThrottle } from '../limits/share-throttle.ts'
import { createThrottle } from '../limits/throttle.ts'
import { createClaimedPaths } from '../links/codes/claimed-paths.ts'
import { createLinkCache } from '../links/follow/cache.ts'
import { createHostBlocks } from '../links/follow/follow-host.ts'
import { createHosts } from '../links/follow/hosts.ts'
import { hostKey, type OwnHosts } from '../links/original-url.ts'
import { createShortUrls } from '../links/read/short-urls.ts'
import { backUp } from '../storage/backups/backup.ts'
import { createBackups } from '../storage/backups/backups.ts'
import { copyInThread, previewInThread } from '../storage/backups/copy-in-thread.ts'
import { previewRestore } from '../storage/backups/preview-restore.ts'
import { expectedFile } from '../storage/open/sqlite.ts'
import { createRecorder } from '../visits/collect/recorder.ts'
import { openPlaces } from '../visits/facts/open-places.ts'
import { onceForReads } from '../visits/facts/place-files.ts'
import { removeOutdatedPlaces } from '../visits/facts/replace-places.ts'
import { foldStored } from '../visits/fold/fold.ts'
import { removeWhenIdle } from '../visits/upkeep/remove-when-idle.ts'
import type { AppOptions } from './app-options.ts'
import { createLazy } from './lazy.ts'
import type { PluginSets } from './switching/plugin-set.ts'
import { createTellOfState } from './switching/tell-of-state.ts'

/** What the parts are made from: the options of the app, and what its start adds. */
export interface RunOptions extends AppOptions {
  /** The secret key of the instance, for signatures such as those of cursors. */
  readonly secret: Buffer
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
}

/** The parts that last while plugins are switched. */
export type LastingParts = ReturnType<typeof makeLastingParts>

/**
 * Makes the parts that last while plugins are switched. When they need something of the running plugins, they ask
 * `sets`.
 */
export function makeLastingParts(options: RunOptions, sets: PluginSets) {
  const { storage, settings, log, now, secret, signal, baseUrl, trustedProxies, patienceMs } =
    options
  const { dashboardUrl = baseUrl } = options
  const { db, news } = storage
  const lazy = createLazy()

  // Rate limits, and the containment of plugins.
  const contain = createContainment(log, { patienceMs })
  const ownThrottle = createThrottle()
  const throttle = storage.tally
    ? shareThrottle(ownThrottle, { tally: storage.tally, secret })
    : ownThrottle
  const logEvent = createSecurityLog({
    log,
    throttle: ownThrottle,
    showsClients: options.logsAddresses ?? false,
  })
  // Deriving a key occupies one of Node's four threads for a fifth of a second, or longer. Guesses get two threads, and wait
  // at most a second for one.
  const guesses = createBoundedQueue({ atOnce: 2, maxWaiting: 16, maxWaitMs: patienceMs ?? 1_000 })
  const checkGuess = createGuesses({ throttle, queue: guesses, note: logEvent })
  const mayUsePassword = ({ isAdmin }: { readonly isAdmin: boolean }) =>
    allowsPassword(sets.now().passwordRule(), isAdmin)
  const confirm = createConfirmPassword(db, checkGuess, now, mayUsePassword)
  const setUp = createSetUp({ db, now, checkGuess })
  const oneTimeLinks = createOneTimeLinks({ db, now, checkGuess })

  // A visit takes a small part of the memory that an answer of the API takes.
  const slots = {
    answers: createSlots(memoryShares.running),
    visits: createSlots(8 * memoryShares.running),
  }
  // Sorting a hundred thousand links takes the loop a tenth of a second.
  const lists = createOwnTurns({ longestRestMs: 1_000 })
  const linkTurns = createOwnTurns()
  const bodies = createBodyMemory()

  // An account, or the public pages of one, gets half of the places. Where memory is short, nothing is computed.
  const computations = createBoundedQueue({
    mayBegin: () => options.isCommand || !recorder().health().isMemoryShort,
    atOnce: memoryShares.computations,
    atOnceInLane: Math.ceil(memoryShares.computations / 2),
    // Who waits has a place among the answers that are worked out, so few wait where few are.
    maxWaiting: Math.max(8, 4 * memoryShares.computations),
    maxWaitMs: patienceMs ?? 3_000,
  })

  // Links, and the hosts and paths they are on.
  const claimedPaths = createClaimedPaths()
  const cache = createLinkCache(
    () => sets.now().entitlements.features().redirectCacheEnabled,
    news.isHeard,
  )
  storage.onFailedFlush(cache.forgetAll)
  // A link compiled earlier may count visits or be cached although that is switched off now.
  settings.onChange(cache.forgetAll)
  const ownHost = new URL(baseUrl).host
  const dashboardHost = new URL(dashboardUrl).host
  const hosts = createHosts({
    db,
    ownNames: [ownHost, dashboardHost].map(hostName),
    ask: only => createListHosts(sets.now().plugins.running, contain)(only),
    tell: () => news.tell(db, 'hosts'),
    signal,
  })
  const hostBlocks = createHostBlocks()
  const ownHosts: OwnHosts = {
    has: host =>
      [ownHost, dashboardHost].some(own => hostKey(own) === hostKey(host)) ||
      hosts.all().has(hostName(host)),
  }
  const shortUrls = createShortUrls(baseUrl, hosts.rulesOf)

  // Visits and scheduled jobs.
  const { folder: placesFolder } = options.placeSource ?? {}
  if (placesFolder !== undefined) removeOutdatedPlaces(placesFolder, log)
  const placesFor = onceForReads(reads => openPlaces(log, reads, options.placeSource))
  const recorder = lazy('recorder', () => {
    if (options.isCommand) throw new Error('A command does not count visits.')
    return createRecorder({
      ...sets.now().counted,
      storage,
      log,
      ...(options.placeSource && { placeSource: options.placeSource }),
      filesFolder: options.filesFolder,
      ...(options.recorderUrl && { workerUrl: options.recorderUrl }),
      onVisited: visits => sets.now().hooks.announceVisits(visits),
    })
  })
  const remover = removeWhenIdle({ db, log })
  // Analytics must work even if the disk does not: the numbers shown are then a little older.
  let areUpToDate = true
  const catchUp = async () => {
    const added = options.isCommand
      ? foldStored(db, signal)
      : Promise.all([recorder().catchUp(), remover.catchUp()])
    const settled = added.then(
      () => {
        areUpToDate = true
      },
      error => {
        if (areUpToDate) log.warn('The numbers shown are not up to date', { error })
        areUpToDate = false
      },
    )
    // Nobody waits for a command as for an answer, and what it reads is to be kept.
    await (options.isCommand ? settled : within(patienceMs ?? 1_500, settled, undefined))
  }
  const backups =
    storage.file === undefined
      ? undefined
      : createBackups({
          file: storage.file,
          copy: options.backupUrl ? copyInThread(options.backupUrl) : backUp,
          onFailed: storage.damage.report,
          onMade: storage.damage.refute,
          now,
          signal,
        })
  const compare = options.backupUrl
    ? previewInThread(options.backupUrl)
    : async (from: string, file: string) => previewRestore(from, file, expectedFile)
  const many = storage.locks && { locks: storage.locks, machine: options.machine ?? '' }
  const jobs = lazy('jobs', () => createJobs(sets.now().everyJob, { db, now, log, many }))

  const delivery = createDelivery({ db, log, contain, locks: storage.locks, now })
  const stateTold = createTellOfState(db, settings, { now, log })

  // HTTP.
  const cookie = createSessionCookie({ secure: dashboardUrl.startsWith('https:') })
  const clients = rememberLatest(trustedProxies)
  const warnLocal = warnOfLocalUrls(baseUrl, requestedHost(trustedProxies), log)
  const pageSender = createPageSender(
    watchTheme(settings, baseUrl),
    () => sets.now().chooseLanguage,
  )
  const answerCounts = createAnswerCounts()
  const server = lazy('server', () =>
    createServer({
      ...sets.now().answering(),
      pageSender,
      log,
      fastLane: options.fastLane ?? true,
      limits: { ...options.connectionLimits, trustedProxies },
    }),
  )

  return {
    contain,
    throttle,
    logEvent,
    checkGuess,
    confirm,
    setUp,
    oneTimeLinks,
    slots,
    lists,
    linkTurns,
    bodies,
    computations,
    claimedPaths,
    cache,
    ownHost,
    dashboardHost,
    hosts,
    hostBlocks,
    ownHosts,
    shortUrls,
    placesFor,
    recorder,
    remover,
    catchUp,
    backups,
    compare,
    jobs,
    delivery,
    stateTold,
    cookie,
    clients,
    warnLocal,
    pageSender,
    answerCounts,
    server,
    startedAt: new Date(now().getTime() - process.uptime() * 1_000),
  }
}
