import { type Fetch, z } from '../../../core/plugin.ts'

/** Asks which URLs are harmful, and returns the reason of each by URL. Rejects if there is no answer. */
export type AskService = (urls: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Maximum number of URLs in one request. */
const maxEntries = 500

const threats: Readonly<Record<string, string>> = {
  MALWARE: 'malware',
  SOCIAL_ENGINEERING: 'phishing',
  UNWANTED_SOFTWARE: 'unwanted software',
  POTENTIALLY_HARMFUL_APPLICATION: 'a harmful application',
}

const answerSchema = z.object({
  matches: z
    .array(z.object({ threatType: z.string(), threat: z.object({ url: z.string() }) }))
    .default([]),
})

/**
 * Asks the Lookup API of Google Safe Browsing, version 4, or a compatible service:
 * https://developers.google.com/safe-browsing/v4/lookup-api
 */
export function createSafeBrowsing({
  fetch,
  service,
  key,
}: {
  readonly fetch: Fetch
  /** Origin of the service. */
  readonly service: string
  readonly key: string
}): AskService {
  const url = new URL('/v4/threatMatches:find', service)
  url.searchParams.set('key', key)

  async function ask(urls: readonly string[]): Promise<readonly (readonly [string, string])[]> {
    const { status, body } = await fetch(url.href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question(urls)),
      timeoutMs: 2_000,
    })
    if (status !== 200) throw new Error(`${url.host} answers ${status}`)
    const { matches } = answerSchema.parse(JSON.parse(Buffer.from(body).toString()))
    return matches.map(({ threat, threatType }) => [threat.url, reasonFor(threatType)])
  }

  return async urls => {
    const found = new Map<string, string>()
    for (let from = 0; from < urls.length; from += maxEntries) {
      for (const [url, reason] of await ask(urls.slice(from, from + maxEntries))) {
        found.set(url, reason)
      }
    }
    return found
  }
}

function question(urls: readonly string[]): object {
  return {
    client: { clientId: 'linnet', clientVersion: '1' },
    threatInfo: {
      threatTypes: Object.keys(threats),
      platformTypes: ['ANY_PLATFORM'],
      threatEntryTypes: ['URL'],
      threatEntries: urls.map(url => ({ url })),
    },
  }
}

function reasonFor(threat: string): string {
  return `reported by Google Safe Browsing as ${threats[threat] ?? 'harmful'}`
}
