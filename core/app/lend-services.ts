import { dirname } from 'node:path'
import { forLentCallers } from '../accounts/access/lent-callers.ts'
import { scopesOf } from '../accounts/access/scopes.ts'
import { createTokens, tokensWithPassword } from '../accounts/access/tokens.ts'
import { findAccount } from '../accounts/accounts.ts'
import { createVerified } from '../accounts/verified-account.ts'
import type { AnswerCounts } from '../http/api/count-answers.ts'
import { pageColorsOf } from '../http/pages/page-colors.ts'
import type { Checks } from '../http/routes/health-routes.ts'
import { writingWithin } from '../http/routes/links/lend-writing.ts'
import { passwordsOff } from '../http/routes/sign-in/answer-signed-in.ts'
import type { Containment } from '../kernel/contain/contain.ts'
import { unchanged } from '../kernel/hooks/link-addresses.ts'
import { createMailer } from '../kernel/hooks/send-mail.ts'
import { createNotices } from '../kernel/hooks/send-notice.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { kindsOfLinnet, kindsToldBy } from '../kernel/load/names.ts'
import type { Services } from '../kernel/run/create-context.ts'
import { createGuardedFetch, createWhyNoFetch } from '../kernel/run/guarded-fetch.ts'
import { keepFiles } from '../kernel/run/plugin-files.ts'
import { newsOfPlugin } from '../kernel/run/plugin-news.ts'
import { createHider } from '../lib/encrypt.ts'
import { isPublicAddress } from '../lib/net/public-ip.ts'
import { createResolveTxt } from '../lib/net/resolve-txt.ts'
import { kindOfPlugin } from '../limits/guesses.ts'
import { changeCodeRules } from '../links/codes/change-code-rules.ts'
import type { LinkCache } from '../links/follow/cache.ts'
import type { Link } from '../links/link.ts'
import { lendLinks } from '../links/read/lend-links.ts'
import type { Measures } from '../plugin/services/measures.ts'
import { brandOf } from '../settings/brand.ts'
import { type Database, doOrTry, type Storage } from '../storage/database.ts'
import { databaseBytes, freeBytes } from '../storage/files/disk-space.ts'
import type { Recorder } from '../visits/collect/recorder.ts'
import { imagineVisit } from '../visits/facts/open-visit.ts'
import { keepPlaces } from '../visits/facts/replace-places.ts'
import { visitsInHour } from '../visits/read/visits-in-hour.ts'
import type { LastingParts, RunOptions } from './lasting-parts.ts'
import { findHosts } from './switching/after-a-change.ts'
import type { PluginSets } from './switching/plugin-set.ts'

/** The services that plugins use through their context. */
export function lendServices(options: RunOptions, parts: LastingParts, sets: PluginSets): Services {
  const { storage, settings, log, now, signal, dashboardUrl = options.baseUrl } = options
  const { db, news } = storage
  const { contain, throttle, checkGuess, confirm, cache, hosts, hostBlocks, ownHosts, shortUrls } =
    parts
  const { catchUp, answerCounts, recorder, jobs } = parts
  const scopes = () => scopesOf(sets.now().plugins.running.map(({ plugin }) => plugin))
  const ofLinks = {
    cache,
    dashboardUrl,
    shortUrls,
    ownHosts,
    catchUp,
    visitsIn: visitsInHour,
    addressesOf: (link: Link) => sets.now().addresses(unchanged(link)),
    hooks: () => sets.now().hooks,
    reading: () => sets.now().reading,
    told: () => ({ hooks: sets.now().hooks, shortUrls, now }),
    tellOfLink: (db: Database, rowId: number) => news.tell(db, 'link', String(rowId)),
  }
  const may = async (key: string, max: number, seconds: number) =>
    (await throttle(key, max, seconds)).allowed
  const ofMessages = () => ({ running: sets.now().plugins.running, contain, db, throttle: may })
  const reachable = {
    isAllowed: isPublicAddress,
    // Only those of the web: people who create links must not reach other services of a public host.
    ports: [80, 443],
    ownNetwork: options.ownNetwork,
  }
  return {
    db,
    log,
    now,
    signal,
    writingTime: contain.writingTime,
    links(feature, db) {
      const writing = db.isTransaction ? () => writingWithin : () => sets.now().writing
      return lendLinks({ ...ofLinks, db, writing }, feature)
    },
    hosts: life => ({
      all: () => [...hosts.all().values()].filter(host => host !== 'shut'),
      block: refusals => hostBlocks.set(life, refusals),
    }),
    codes: {
      rulesOf: hosts.rulesOf,
      async change(host, rules, isDry = false) {
        const refusal = await doOrTry(db, isDry, db => changeCodeRules(db, host, rules))
        if (refusal || isDry) return refusal
        await findHosts(hosts, log)
        await news.tell(db, 'hosts')
        return undefined
      },
    },
    unblockHosts: life => hostBlocks.drop(life),
    news: (feature, { signal }) => newsOfPlugin(feature, { news, contain, signal }),
    tokens: db => forLentCallers(tokensWithPassword(createTokens({ db, now, scopes }), confirm)),
    callApi: db => async (accountId, method, path, body, language) => {
      if (db.isTransaction)
        throw new Error('context.unstable.callApi: call it before or after a transaction.')
      const account = await findAccount(db, accountId)
      if (!account) throw new Error('This account does not exist.')
      return sets.now().callAs()(account, { method, path, body, language })
    },
    tools: () => sets.now().tools(),
    newAccount: db => async draft => {
      if (db.isTransaction)
        throw new Error('context.unstable.accounts.create: call it outside of a transaction.')
      if (sets.now().passwordRule() !== 'everybody') return passwordsOff
      return createVerified(db, draft, now)
    },
    files: feature => keepFiles(options.filesFolder, feature),
    secrets: feature => createHider(options.secret, `plugin ${feature}`),
    geoip: keepPlaces(options.placeSource?.folder),
    fetch: options.fetch ?? createGuardedFetch({ ...reachable, signal }),
    whyNoFetch: createWhyNoFetch(reachable),
    resolveTxt: options.resolveTxt ?? createResolveTxt(signal),
    readNumbers: async (feature, of) => await sets.now().numbers().readNumbers(feature, of),
    hasNumbers: async of => await sets.now().numbers().hasNumbers(of),
    brand() {
      const { name, logo, color } = brandOf(settings.read().brand)
      return { name, logo, accent: color === null ? null : pageColorsOf(color) }
    },
    imagineVisit: (link, imagined) => imagineVisit(link, imagined, sets.now().places.of),
    measure: () =>
      measure({
        answerCounts,
        cache,
        storage,
        contain,
        recorder: recorder(),
        jobs: jobs(),
        health: sets.now().health,
        worker: options.worker,
      }),
    kinds: () => [
      ...new Set([
        ...kindsOfLinnet,
        ...sets.now().plugins.running.flatMap(({ plugin }) => kindsToldBy(plugin)),
      ]),
    ],
    isOn: feature => sets.now().entitlements.isOn(feature),
    plans(feature) {
      const { check, plan, plans } = sets.now().entitlements
      return plans().map(({ slug }) => ({
        ...{ slug, name: plan(slug).name, isEnough: !check(slug, feature) },
      }))
    },
    mail(feature) {
      const mailer = () => createMailer(feature, ofMessages())
      return { canSend: () => mailer().canSend(), send: mail => mailer().send(mail) }
    },
    notices: feature => ({ send: notice => createNotices(feature, ofMessages()).send(notice) }),
    throttle: may,
    guess: (feature, guess, isRight) =>
      contain.guess(feature, checkGuess(kindOfPlugin(feature), guess, isRight)),
  }
}

const grades = { ok: 0, degraded: 1, failing: 2 } as const

/** How the instance runs, in numbers. */
async function measure({
  answerCounts,
  cache,
  recorder,
  storage,
  contain,
  jobs,
  health,
  worker,
}: {
  readonly answerCounts: AnswerCounts
  readonly cache: LinkCache
  readonly recorder: Recorder
  readonly storage: Pick<Storage, 'db' | 'file'>
  readonly contain: Containment
  readonly jobs: Jobs
  readonly health: () => Promise<Checks>
  readonly worker: string | undefined
}): Promise<Measures> {
  const { queued, dropped } = recorder.health()
  const { unfolded } = await storage.db
    .selectFrom('visit_batches')
    .select(({ fn }) => fn.countAll<number>().as('unfolded'))
    .executeTakeFirstOrThrow()
  return {
    worker,
    ...answerCounts.read(),
    cachedLinks: cache.size(),
    visits: { waiting: queued, dropped, unfolded },
    health: Object.fromEntries(
      Object.entries(await health()).map(([name, { status }]) => [name, grades[status]]),
    ),
    failingHooks: Object.fromEntries(
      Object.entries(contain.health()).map(([name, { failures }]) => [name, failures]),
    ),
    jobs: (await jobs.list()).map(({ name, outcome, endedAt }) => ({
      name,
      isFailed: outcome === 'failed' || outcome === 'interrupted',
      endedAt,
    })),
    ...(storage.file !== undefined && { disk: diskOf(storage.file) }),
  }
}

function diskOf(file: string): NonNullable<Measures['disk']> {
  const { file: database, log } = databaseBytes(file)
  return { database, log, free: freeBytes(dirname(file)) }
}
