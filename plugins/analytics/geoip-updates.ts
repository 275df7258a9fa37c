import { type Context, definePlugin, type PlaceFact, secret, toggle, z } from '../../core/plugin.ts'
import { addressesFor } from './geoip-updates/addresses.ts'
import { unpack } from './geoip-updates/unpack.ts'

/** The compressed files have 10 to 70 MB. */
const maxBytes = 200e6
const timeoutMs = 600_000

const names = { place: 'Countries', city: 'Cities' } as const

export default definePlugin({
  feature: 'analytics.geoipUpdates',
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
      env: 'LINNET_GEOIP_KEY',
      schema: z.string().regex(/^\d+:\S+$/, 'enter the account ID, a colon and the key.'),
    }),
    // The key is sent to this URL, so only the operator, who has the key, may set it.
    address: secret({
      label:
        'Another URL to download from. {kind} stands for country or city, {month} for a month such as 2026-11.',
      env: 'LINNET_GEOIP_URL',
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
        const failures: string[] = []
        for (const fact of facts) {
          const failure = await renew(fact, context)
          if (failure) failures.push(`${names[fact]} of visitors could not be updated: ${failure}.`)
        }
        if (failures.length > 0) throw new Error(failures.join(' '))
      },
    },
  },
})

/** Does nothing if an earlier run has fetched the file of this month. Returns why there is no newer file. */
async function renew(fact: PlaceFact, context: Context): Promise<string | undefined> {
  const { settings, log, now } = context
  const { geoip } = context.unstable
  const since = geoip.newerBuiltAt(fact)
  if (since && monthOf(since) === monthOf(now())) return undefined
  const tried: string[] = []
  for (const url of addressesFor(fact, now(), settings as { key?: string; address?: string })) {
    const problem = await take(fact, url, context)
    if (problem === undefined) {
      const builtAt = geoip.newerBuiltAt(fact)?.toISOString().slice(0, 10)
      const { host } = new URL(url)
      log.info(
        `${names[fact]} of visitors now come from data of ${builtAt}, downloaded from ${host}`,
      )
      return undefined
    }
    if (!tried.includes(problem)) tried.push(problem)
  }
  return tried.join(', then ')
}

/** Puts the file of a URL in place. Returns why that is not possible. */
async function take(
  fact: PlaceFact,
  url: string,
  { settings, fetch, unstable }: Context,
): Promise<string | undefined> {
  const { key } = settings as { key?: string }
  const headers = key && { authorization: `Basic ${Buffer.from(key).toString('base64')}` }
  const options = { maxBytes, timeoutMs, toOwnNetwork: true, ...(headers && { headers }) }
  const { host } = new URL(url)
  const answer = await fetch(url, options).catch(whyNot)
  if (typeof answer === 'string') return answer
  const { status, body, isWhole } = answer
  if (!isWhole) return `${host} sends more than ${maxBytes} bytes`
  if (key !== undefined && [401, 403].includes(status)) {
    return `${host} answers ${status}, so check LINNET_GEOIP_KEY`
  }
  if (status !== 200) return `${host} answers ${status}`
  const why = await unstable.geoip.replace(fact, unpack(body)).then(() => undefined, whyNot)
  return why === undefined ? undefined : `what ${host} sends cannot be used: ${why}`
}

/** The message of an error, as a part of a sentence. */
function whyNot(error: Error): string {
  return error.message.replace(/\.$/, '')
}

function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7)
}
