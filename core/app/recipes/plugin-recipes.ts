import { createConfirmPassword } from '../../accounts/access/confirm-password.ts'
import { scopesOf } from '../../accounts/access/scopes.ts'
import { createTokens } from '../../accounts/access/tokens.ts'
import { tokensWithPassword } from '../../accounts/access/tokens-with-password.ts'
import { createContainment } from '../../kernel/contain/contain.ts'
import { createAddressesOf, unchanged } from '../../kernel/hooks/link-addresses.ts'
import { createLinkAnswers } from '../../kernel/hooks/link-answers.ts'
import { createLinkFields } from '../../kernel/hooks/link-fields.ts'
import { createLinkFilters } from '../../kernel/hooks/link-filters.ts'
import { createLinkHooks } from '../../kernel/hooks/link-hooks.ts'
import { createLinkStatuses } from '../../kernel/hooks/link-statuses.ts'
import { contractWith } from '../../kernel/load/contract-with.ts'
import { createGuardedFetch } from '../../kernel/run/guarded-fetch.ts'
import { createBoundedQueue } from '../../lib/bounded-queue.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import { createResolveTxt } from '../../lib/resolve-txt.ts'
import { createGuesses, kindOfPlugin } from '../../limits/guesses.ts'
import { createSecurityLog } from '../../limits/security-log.ts'
import { createThrottle } from '../../limits/throttle.ts'
import { createLinkReader } from '../../links/read/link-reader.ts'
import { createEntitlements } from '../../settings/entitlements.ts'
import { imagineVisit } from '../../visits/facts/open-visit.ts'
import { keepPlaces } from '../../visits/facts/replace-places.ts'
import type { LastingRecipes, Recipes } from '../parts/parts.ts'
import { measure } from './measure.ts'

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
