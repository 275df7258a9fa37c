import { z } from 'zod'
import { actorOf, createCredentials } from '../accounts/access/credentials.ts'
import { createFirstSteps } from '../accounts/access/first-steps.ts'
import { scopesOf } from '../accounts/access/scopes.ts'
import { createSecondSteps } from '../accounts/access/second-steps.ts'
import { allowsPassword, createSignIn } from '../accounts/access/sign-in.ts'
import type { SignedIn } from '../accounts/account.ts'
import { profileSchema } from '../accounts/profile.ts'
import { countLinksCreated } from '../accounts/usage.ts'
import { examine } from '../doctor/examine.ts'
import { examinePlugins } from '../doctor/examine-plugins.ts'
import { createPaging } from '../http/api/access/signed-pages.ts'
import { createCallAs } from '../http/api/call-api.ts'
import { toolsOf } from '../http/api/openapi/tools.ts'
import { trackRunningWork } from '../http/api/running-work.ts'
import { createChooseLanguage } from '../http/pages/choose-language.ts'
import type { DeleteAccount } from '../http/routes/accounts/profile-routes.ts'
import { knownDimensions } from '../http/routes/analytics/known-dimensions.ts'
import { numbersForPlugins } from '../http/routes/analytics/numbers-for-plugins.ts'
import { lendWholeLinks } from '../http/routes/links/lend-whole-links.ts'
import { lendWriting } from '../http/routes/links/lend-writing.ts'
import { createLinkActions } from '../http/routes/links/link-actions.ts'
import { createShowLinks } from '../http/routes/links/show-links.ts'
import { countUsage } from '../kernel/hooks/count-usage.ts'
import { broughtLanguages } from '../kernel/hooks/languages.ts'
import { createAddressesOf } from '../kernel/hooks/link-addresses.ts'
import { createLinkAnswers } from '../kernel/hooks/link-answers.ts'
import { createLinkFields } from '../kernel/hooks/link-fields.ts'
import { createLinkFilters } from '../kernel/hooks/link-filters.ts'
import { createLinkHooks } from '../kernel/hooks/link-hooks.ts'
import { createLinkStatuses } from '../kernel/hooks/link-statuses.ts'
import { createMailer } from '../kernel/hooks/send-mail.ts'
import {
  createFirstStepHooks,
  createPasswordRule,
  createProviderHooks,
  createStepHooks,
} from '../kernel/hooks/sign-in-hooks.ts'
import { allJobs } from '../kernel/jobs/all-jobs.ts'
import { contractWith } from '../kernel/load/contract-with.ts'
import { nothingOutside } from '../kernel/load/outside-plugins.ts'
import { createPluginState } from '../kernel/run/plugin-state.ts'
import type { RunningPlugin, RunningPlugins } from '../kernel/run/start-plugins.ts'
import type { Switcher } from '../kernel/run/switcher.ts'
import {
  deleteAccountAndLinks,
  finishDeletions,
  tryToDeleteAccountAndLinks,
} from '../links/write/delete-account.ts'
import { handOverWith } from '../links/write/hand-over.ts'
import type { LinkDeps } from '../links/write/link-deps.ts'
import { fieldRenewal } from '../links/write/renew-field.ts'
import type { Actor } from '../plugin/event.ts'
import { createEntitlements } from '../settings/entitlements.ts'
import { actAs } from '../storage/acting.ts'
import { whenVisible } from '../storage/database.ts'
import type { CountingConfig } from '../visits/collect/recorder.ts'
import { dimensionsOf, isForCounting } from '../visits/facts/dimensions.ts'
import { keptUnlessSaid } from '../visits/upkeep/age-counts.ts'
import { allRoutes } from './all-routes.ts'
import { answerPaths } from './answer-paths.ts'
import { checkHealth } from './check-health.ts'
import type { LastingParts, RunOptions } from './lasting-parts.ts'
import { createLazy } from './lazy.ts'
import { findHosts } from './switching/after-a-change.ts'
import type { PluginSet } from './switching/plugin-set.ts'

/** Makes the parts that each set of running plugins has of its own. */
export function makeSet(
  options: RunOptions,
  parts: LastingParts & { readonly switcher: Switcher },
  plugins: RunningPlugins,
): PluginSet {
  const {
    storage,
    log,
    now,
    signal,
    baseUrl,
    trustedProxies,
    backupsKept = 7,
    deletedDays = 30,
    dashboardUrl = baseUrl,
    targetSchemes = [],
  } = options
  const { db, news } = storage
  const { contain, cache, hosts, shortUrls, recorder, catchUp, clients, jobs } = parts
  const { running } = plugins
  const all = running.map(({ plugin }) => plugin)
  const runningWork = trackRunningWork()

  // Entitlements of accounts, and what plugins add to links.
  const contract = contractWith(all, options.contract)
  const entitlements = createEntitlements({
    plans: options.plans,
    features: options.features,
    contract,
    settings: options.settings,
    installed: new Map(all.map(plugin => [plugin.feature as string, plugin])),
  })
  const fields = createLinkFields(all, contain)
  const addresses = createAddressesOf(all)
  const answers = createLinkAnswers(running, fields, contain)
  const statuses = createLinkStatuses(running, contain)
  const filters = createLinkFilters(running, contain)
  const languages = broughtLanguages(all)
  const hooks = createLinkHooks(
    running,
    fields,
    contain,
    entitlements.check,
    addresses,
    targetSchemes,
    fieldRenewal({ db, cache, log, signal }),
    entitlements.limit,
  )
  const links: LinkDeps = {
    ...parts,
    db,
    now,
    hooks,
    paths: parts.claimedPaths.taken,
    deletedDays,
    targetSchemes,
    // A command adds nothing up: the server does, which hears of it.
    broughtVisits: (tx, batchId) =>
      options.isCommand
        ? news.tell(tx, 'visits')
        : whenVisible(tx, () => recorder().stored(batchId)),
    countCreated(tx, { accountId, account }, count) {
      const { maxLinksCreatedPerMonth } = entitlements.plan(account.plan).limits
      return countLinksCreated(tx, accountId, maxLinksCreatedPerMonth, count, now)
    },
  }

  // Counting, scheduled jobs and health.
  const places = parts.placesFor(all)
  const { outside = nothingOutside } = plugins.available
  const forCounting = all.filter(isForCounting)
  const counted: CountingConfig = {
    features: forCounting.map(({ feature }) => feature),
    outside: outside.plugins.flatMap(({ feature, url }) => {
      const plugin = forCounting.find(it => it.feature === feature)
      return plugin ? [{ feature, url, dimensions: Object.keys(plugin.dimensions ?? {}) }] : []
    }),
    dimensions: dimensionsOf(all),
    places,
    namesVisited: all.some(({ on }) => on?.visited),
  }
  const { kept = keptUnlessSaid } = options
  const everyJob = allJobs(running, {
    ...parts,
    db,
    backupsKept,
    now,
    signal,
    kept,
    deletedDays,
    finishDeletions: () => finishDeletions(links, signal),
  })
  const health = () =>
    checkHealth({
      ...options,
      places,
      hosts,
      plugins,
      contain,
      languages,
      now: now(),
      recorder: recorder(),
      jobs: jobs(),
      delivery: parts.delivery,
      connections: parts.server().connections(),
    })

  // The API.
  const credentials = {
    ...createCredentials({ db, entitlements, feature: options.contract.tokens, now, log }),
    act: <T>(caller: SignedIn | undefined, work: () => T, address?: string) => {
      const who: Actor = caller ? actorOf(caller) : { kind: 'system' }
      return actAs({ ...who, ...(address && { address }) }, work)
    },
    cookie: parts.cookie.name,
    origins: [dashboardUrl],
  }
  const chooseLanguage = createChooseLanguage(languages)
  const providers = createProviderHooks(running, contain)
  const passwordRule = createPasswordRule(running, contain, entitlements.isOn)
  const firstSteps = createFirstStepHooks(running, contain)
  const steps = createSecondSteps({
    ...{ db, now, log, secret: options.secret, checkGuess: parts.checkGuess },
    hooks: createStepHooks(running, contain),
  })
  const show = createShowLinks({ db, answers, statuses, shortUrls })
  const actions = createLinkActions(links, entitlements, show)
  // Nobody shows what plugins write.
  const unshown = createLinkActions(links, entitlements, {
    ...show,
    ahead: () => undefined,
  })
  const known = knownDimensions(all, entitlements, log)
  const writing = lendWriting({ links, actions: unshown, fields, countable: known })
  const reading = lendWholeLinks({ db, show, fields, dimensions: known.all, catchUp })
  const deleteAccount: DeleteAccount = (id, object, isDry, heir) =>
    (isDry ? tryToDeleteAccountAndLinks : deleteAccountAndLinks)(links, id, object, heir)
  const lazy = createLazy()
  const routes = lazy('routes', () =>
    allRoutes({
      ...options,
      ...parts,
      dashboardUrl,
      targetSchemes,
      db,
      hosts,
      preview: path => parts.compare(path, storage.file ?? ''),
      recent: accountId => recorder().recent(accountId),
      plugins: all,
      running,
      contract,
      languages,
      entitlements,
      credentials,
      jobs: jobs(),
      links,
      fields,
      answers,
      statuses,
      filters,
      hooks,
      places,
      scopes: scopesOf(all),
      actions,
      show,
      chooseLanguage,
      signIn: createSignIn(db, parts.checkGuess),
      passwordRule,
      mailer: createMailer('linnet', {
        ...{ running, contain, db },
        throttle: async (key, max, seconds) => (await parts.throttle(key, max, seconds)).allowed,
      }),
      newAccountUrl() {
        const isOpen = ({ plugin }: RunningPlugin) =>
          plugin.unstable?.newAccounts !== undefined && entitlements.isOn(plugin.feature)
        const path = running.find(isOpen)?.plugin.unstable?.newAccounts
        return path === undefined ? null : new URL(`/${path}`, baseUrl).href
      },
      providers: () => providers.filter(it => entitlements.isOn(it.feature) && it.isReady()),
      site: all.find(({ site }) => site?.home)?.site,
      steps,
      firstSteps: createFirstSteps({
        ...{ db, now, secret: options.secret, checkGuess: parts.checkGuess, steps },
        all: () => firstSteps.filter(it => entitlements.isOn(it.feature) && it.isReady()),
        mayUsePassword: ({ isAdmin }) => allowsPassword(passwordRule(), isAdmin),
      }),
      answer: z.lazy(() => z.strictObject({ data: profileSchema(contract) })),
      counts: accountId => countUsage(contract.usage, running, contain, accountId),
      deleteAccount,
      handOver: (what, object, isDry) => handOverWith(links, what, object, isDry),
      forgetLinks(accountId) {
        cache.forgetOf(new Set([accountId]))
        hosts.forget(accountId)
      },
      async renewLinks(accountIds) {
        cache.forgetOf(new Set(accountIds))
        await findHosts(hosts, log)
      },
      isEnabled: ({ plan }, feature) => !entitlements.check(plan, feature),
      async examine() {
        // The latest request is the one that asks for this.
        const cameIn = clients.latest()
        const request = cameIn && { cameIn, trustedProxies, baseUrl, dashboardUrl }
        const { file, address } = storage
        const onServer = address && 'url' in address ? db : undefined
        const features = running.map(({ plugin }) => plugin.feature)
        const patient = { file, onServer, features, places, backupsKept, now: now() }
        return [
          ...(await examine({ ...patient, ...(request && { request }) })),
          ...(await examinePlugins(running, contain)),
        ]
      },
      state: createPluginState({
        settings: options.settings,
        env: options.env,
        choice: () => parts.switcher.available().choice,
      }),
    }),
  )
  const callAs = lazy('callAs', () =>
    createCallAs({
      ...{ log, confirm: parts.confirm, act: credentials.act, lists: parts.lists },
      ...{ routes: routes(), paging: createPaging(options.secret) },
    }),
  )
  const tools = lazy('tools', () => toolsOf(routes()))
  const numbers = lazy('numbers', () =>
    numbersForPlugins({
      ...{ db, running, contain, entitlements, now, catchUp },
      computations: parts.computations,
      known,
    }),
  )
  const ready = {
    plugins,
    runningWork,
    entitlements,
    hooks,
    passwordRule,
    addresses,
    places,
    numbers,
    writing,
    reading,
    deleteAccount,
  }
  const set = { ...ready, chooseLanguage }
  const answering = lazy('answering', () =>
    answerPaths(options, parts, { ...set, credentials, routes, health }),
  )
  return { ...set, callAs, tools, everyJob, counted, health, routes, answering }
}
