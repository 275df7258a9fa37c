import { startLinnet } from './linnet.mjs'
import { publicUrl } from './requests.mjs'
import { hasNginx, startNginx, startRaw } from './rivals.mjs'

export const raw = 'raw node:http + Map'
export const rawKept = 'raw, a tick kept'
export const rawWithPage = 'raw, with a page'
const nginx = 'nginx, return 302'

/** Behind a proxy, as docs/operating.md describes. */
const settings = { LINNET_BASE_URL: publicUrl, LINNET_TRUSTED_PROXIES: '1' }
/** The feature that lets the benchmark use the API. */
const tokens = 'developer.apiKeys'
/** All dimensions except visits by routing rule, which needs dynamic routing. */
const dimensions = feature =>
  feature.startsWith('analytics.') && feature !== 'analytics.visitsByRoutingRule'
const withoutCities = feature => dimensions(feature) && feature !== 'analytics.visitsByCity'

/** The fast lane, which the operator can switch off. */
const withoutLane = { LINNET_FAST_LANE: '0' }
/** Linnet with different sets of features, by name. */
const linnets = {
  'no tracking': () => false,
  'totals only': feature => feature === 'analytics.visitsTracking',
  'all but cities': withoutCities,
  'every dimension': dimensions,
  'every plugin': () => true,
}

/** The servers to measure, by name; each `start` returns a server with `links` links. */
export const variants = {
  [raw]: { start: ({ links }) => startRaw(links) },
  [rawWithPage]: { start: ({ links }) => startRaw(links, 'with a page') },
  [rawKept]: { start: ({ links }) => startRaw(links, 'keep-ticks-fast') },
  ...(hasNginx && { [nginx]: { start: startNginx } }),
  ...Object.fromEntries(
    Object.entries(linnets).map(([name, has]) => [name, { start: startWith(has), isLinnet: true }]),
  ),
  'every dimension, without the lane': {
    start: startWith(dimensions, withoutLane),
    isLinnet: true,
  },
}

function startWith(has, more = {}) {
  return async ({ instance }) => {
    const features = instance.features.filter(it => has(it) || it === tokens)
    const countsVisits = features.includes('analytics.visitsTracking')
    return {
      ...(await startLinnet(instance, { features, settings: { ...settings, ...more } })),
      countsVisits,
    }
  }
}
