import { createConfirmPassword } from '../accounts/confirm-password.ts'
import { createEntitlements } from '../accounts/entitlements.ts'
import { scopesOf } from '../accounts/scopes.ts'
import { createTokens } from '../accounts/tokens.ts'
import { tokensWithPassword } from '../accounts/tokens-with-password.ts'
import { createBoundedQueue } from '../bounded-queue.ts'
import { createGuesses, kindOfPlugin } from '../guesses.ts'
import { createContainment } from '../kernel/contain.ts'
import { contractWith } from '../kernel/contract-with.ts'
import { createGuardedFetch } from '../kernel/guarded-fetch.ts'
import { createAddressesOf, unchanged } from '../kernel/link-addresses.ts'
import { createLinkAnswers } from '../kernel/link-answers.ts'
import { createLinkFields } from '../kernel/link-fields.ts'
import { createLinkFilters } from '../kernel/link-filters.ts'
import { createLinkHooks } from '../kernel/link-hooks.ts'
import { createLinkStatuses } from '../kernel/link-statuses.ts'
import { isPublicAddress } from '../kernel/public-address.ts'
import { createResolveTxt } from '../kernel/resolve-txt.ts'
import { createLinkReader } from '../links/link-reader.ts'
import { measure } from '../measure.ts'
import type { LastingRecipes, Recipes } from '../parts.ts'
import { createSecurityLog } from '../security-log.ts'
import { createThrottle } from '../throttle.ts'
import { keepPlaces } from '../visits/facts/replace-places.ts'
import { imagineVisit } from '../visits/facts/visit.ts'

/** Only the web is asked: what else a public host runs is no business of who makes a link. */
const ports = [80, 443]

/** What runs plugins. */
export const pluginRecipes = {
  contain(get) {
    const { log, patienceMs } = get('given')
    return createContainment(log, { patienceMs })
  },

  throttle: createThrottle,

  noteEvent(get) {
    const { log, logsAddresses = false } = get('given')
    return createSecurityLog({ log, throttle: get('throttle'), showsClients: logsAddresses })
  },

  // Deriving a key takes one of Node's four threads for a fifth of a second: guesses get two of them, and
  // wait at most a second for that, as the guard of a visitor has two.
  checkGuess(get) {
    const { patienceMs: maxWaitMs = 1_000 } = get('given')
    const queue = createBoundedQueue({ atOnce: 2, maxWaiting: 16, maxWaitMs })
    return createGuesses({ throttle: get('throttle'), queue, note: get('noteEvent') })
  },

  confirm: get => createConfirmPassword(get('given').storage.db, get('checkGuess')),

  services(get, { now: current }) {
    const { storage, log, now, signal, baseUrl, ownNetwork, placeSource } = get('given')
    const {
      fetch = createGuardedFetch({ isAllowed: isPublicAddress, ports, ownNetwork, signal }),
    } = get('given')
    const { resolveTxt = createResolveTxt(signal) } = get('given')
    const throttle = get('throttle')
    const checkGuess = get('checkGuess')
    const scopes = () => scopesOf(current('plugins').running.map(({ plugin }) => plugin))
    return {
      db: storage.db,
      log,
      now,
      signal,
      links: (feature, db) =>
        createLinkReader(
          {
            db,
            cache: get('cache'),
            baseUrl,
            shortUrls: get('shortUrls'),
            ownHosts: get('ownHosts'),
            addressesOf: link => current('addresses')(unchanged(link)),
            settle: get('settle'),
          },
          feature,
        ),
      hosts: life => ({
        all: () => [...get('hosts').all().values()].filter(host => host !== 'shut'),
        block: refusals => get('hostBlocks').set(life, refusals),
      }),
      unblockHosts: life => get('hostBlocks').drop(life),
      tokens: db => tokensWithPassword(createTokens({ db, now, scopes }), get('confirm')),
      places: keepPlaces(placeSource?.folder),
      fetch,
      resolveTxt,
      imagineVisit: (link, said) => imagineVisit(link, said, current('places').of),
      measure: () =>
        measure({
          answerCounts: get('answerCounts'),
          cache: get('cache'),
          recorder: get('recorder'),
          storage,
          contain: get('contain'),
          jobs: get('jobs'),
          health: current('health'),
        }),
      isOn: feature => current('entitlements').isOn(feature),
      throttle: async (key, max, seconds) => (await throttle(key, max, seconds)).allowed,
      guess: (feature, guess, isRight) => checkGuess(kindOfPlugin(feature), guess, isRight),
    }
  },
} satisfies Partial<LastingRecipes>

/** What accounts and links get from a set of plugins. */
export const hookRecipes = {
  contract(get) {
    const plugins = get('plugins').running.map(({ plugin }) => plugin)
    return contractWith(plugins, get('given').contract)
  },

  entitlements(get) {
    const { plans, features, settings } = get('given')
    const contract = get('contract')
    const { running } = get('plugins')
    const installed = new Map(running.map(({ plugin }) => [plugin.feature as string, plugin]))
    return createEntitlements({ plans, features, contract, installed, settings })
  },

  fields: get => createLinkFields(get('plugins').running.map(({ plugin }) => plugin)),

  addresses: get => createAddressesOf(get('plugins').running.map(({ plugin }) => plugin)),

  answers: get => createLinkAnswers(get('plugins').running, get('fields'), get('contain')),

  statuses: get => createLinkStatuses(get('plugins').running, get('contain')),

  filters: get => createLinkFilters(get('plugins').running, get('contain')),

  hooks: get =>
    createLinkHooks(
      get('plugins').running,
      get('fields'),
      get('contain'),
      get('entitlements').check,
      get('addresses'),
    ),
} satisfies Partial<Recipes>
