import { type Context, definePlugin, type PlaceFact, secret, toggle, z } from '../../core/plugin.ts'
import { addressesFor } from './fresh-places/addresses.ts'
import { unpack } from './fresh-places/unpack.ts'

/** The compressed files have 10 to 70 MB. */
const maxBytes = 200e6
const timeoutMs = 600_000

const names = { place: 'Countries', city: 'Cities' } as const

export default definePlugin({
  feature: 'analytics.freshPlaces',
  label: 'Location data updates',
  about: 'Download newer location data each month.',
  settings: {
    cities: toggle({
      label: 'Include cities',
      hint: 'Downloads about 60 MB per month and takes 130 MB of disk space.',
      default: true,
    }),
    key: secret({
      label: 'Account ID and licence key of MaxMind, such as 123456:key. Leave empty to use DB-IP.',
      env: 'LINNET_PLACES_KEY',
      schema: z.string().regex(/^\d+:\S+$/, 'enter the account ID, a colon and the key.'),
    }),
    // The key is sent to this URL, so only the operator, who has the key, may set it.
    address: secret({
      label:
        'Another URL to download from. {kind} stands for country or city, {month} for a month such as 2026-11.',
      env: 'LINNET_PLACES_URL',
      schema: z.string().regex(/^https?:\/\/\S+\{kind\}/, 'enter a URL that contains {kind}.'),
    }),
  },
  jobs: {
    // The files of a month are available by its third day. The later runs repeat failed downloads.
    fetch: {
      label: 'Download newer location data',
      every: '40 4 3,10,17,24 * *',
      everywhere: true,
      async run(context) {
        const facts: readonly PlaceFact[] = context.settings.cities ? ['place', 'city'] : ['place']
        for (const fact of facts) await renew(fact, context)
      },
    },
  },
})

/** Does nothing if an earlier run has fetched the file of this month. */
async function renew(
  fact: PlaceFact,
  { settings, places, fetch, log, now }: Context,
): Promise<void> {
  const { key, address } = settings as { key?: string; address?: string }
  const since = places.newerBuiltAt(fact)
  if (since && monthOf(since) === monthOf(now())) return
  const tried: string[] = []
  for (const url of addressesFor(fact, now(), { key, address })) {
    const { host } = new URL(url)
    const headers = key
      ? { authorization: `Basic ${Buffer.from(key).toString('base64')}` }
      : undefined
    const options = { maxBytes, timeoutMs, toOwnNetwork: true, ...(headers && { headers }) }
    const { status, body, isWhole } = await fetch(url, options).catch((error: Error) => {
      throw new Error(`${names[fact]} of visitors could not be updated: ${error.message}`, {
        cause: error,
      })
    })
    if (status === 200 && isWhole) {
      await places.replace(fact, unpack(body)).catch((error: Error) => {
        const why = `what ${host} sends cannot be used: ${error.message}`
        throw new Error(`${names[fact]} of visitors could not be updated: ${why}`, { cause: error })
      })
      const builtAt = places.newerBuiltAt(fact)?.toISOString().slice(0, 10)
      log.info(
        `${names[fact]} of visitors now come from data of ${builtAt}, downloaded from ${host}`,
      )
      return
    }
    const answers = [401, 403].includes(status)
      ? `answers ${status}, so check LINNET_PLACES_KEY`
      : `answers ${status}`
    tried.push(`${host} ${isWhole ? answers : `sends more than ${maxBytes} bytes`}`)
  }
  throw new Error(`${names[fact]} of visitors could not be updated: ${tried.join(', then ')}`)
}

function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7)
}
