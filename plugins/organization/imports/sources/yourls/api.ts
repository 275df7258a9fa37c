import { z } from '../../../../../core/plugin.ts'
import { openApi } from '../../reading/api.ts'
import { linkItem } from '../../reading/link-item.ts'
import { readPast } from '../../reading/moments.ts'
import { createSeen } from '../../reading/seen.ts'
import { notRead, readThing, someText } from '../../reading/service.ts'
import { readCode } from '../../reading/short-url.ts'
import { quoted } from '../../reading/texts.ts'
import { type Asked, type Item, SourceError } from '../../source.ts'

/** How many links a page has, unless these are too much for one answer. */
const pageSize = 10_000
const smallestPage = 100
/** Links of a second come in any order, so pages have some of the page before. */
const overlap = 500

const linkSchema = z.object({
  shorturl: z.string().min(1),
  url: z.string(),
  title: someText,
  timestamp: someText,
  clicks: z.coerce.number().nullish().catch(null),
})

/** To look at each of many names takes long. */
const linksSchema = z.custom<Readonly<Record<string, unknown>>>(
  it => typeof it === 'object' && it !== null && !Array.isArray(it),
)
const pageSchema = z.object({ links: linksSchema })

/** Links of the API of YOURLS, which has sums of visits, and nothing else of them. */
export async function* readYourlsApi(
  asked: Asked,
  {
    url,
    signature,
    zone,
  }: { readonly url: string; readonly signature: string; readonly zone: string },
): AsyncGenerator<Item> {
  const base = url.replace(/\/yourls-api\.php$/, '').replace(/\/+$/, '')
  const api = openApi(asked, { name: 'YOURLS', base, headers: {} })
  const [shortUrls, codes] = [createSeen(), createSeen()]
  let limit = pageSize
  for (let start = 0; ; start += limit - Math.min(overlap, limit / 2)) {
    const query = { signature, format: 'json', action: 'stats', filter: 'last' }
    const ask = (unless: readonly number[]) =>
      api.get('/yourls-api.php', { ...query, limit, start }, unless)
    let answer = await ask([413])
    while (answer === undefined) {
      limit = Math.max(smallestPage, limit / 5)
      answer = await ask(limit > smallestPage ? [413] : [])
    }
    const page = pageSchema.safeParse(answer)
    // Without links, `links` is an empty list.
    const links = page.success ? Object.values(page.data.links) : []
    if (!page.success && !(answer && Array.isArray(Object(answer).links))) {
      throw new SourceError(
        `${url} does not answer as the API of YOURLS does. Is its address right?`,
      )
    }
    let isNew = false
    for (const [index, found] of links.entries()) {
      const row = `link ${start + index + 1}`
      const link = readThing(linkSchema, found)
      if ('error' in link) {
        yield notRead(row, link.error)
        continue
      }
      const { shorturl } = link.data
      const code = codeOf(shorturl, base)
      if (!shortUrls.add(shorturl)) continue
      isNew = true
      if (!codes.add(code)) {
        yield { kind: 'refused', row, reason: `Another link there has the code ${quoted(code)}.` }
        continue
      }
      yield linkOf(link.data, { code, zone, now: asked.now(), changes: [...link.changes] })
    }
    if (links.length < limit || !isNew) return
  }
}

/** All that is behind the address of YOURLS, which may have another host or scheme for those who visit it. */
function codeOf(shortUrl: string, base: string): string {
  const path = shortUrl.replace(/^\w+:\/\/[^/]*/, '')
  const own = base.replace(/^\w+:\/\/[^/]*/, '')
  return readCode(path.startsWith(`${own}/`) ? path.slice(own.length) : path)
}

function linkOf(
  { url, title, timestamp, clicks }: z.output<typeof linkSchema>,
  {
    code,
    zone,
    now,
    changes,
  }: {
    readonly code: string
    readonly zone: string
    readonly now: Date
    readonly changes: string[]
  },
) {
  return linkItem(
    {
      ...{ row: `url ${code}`, id: code, host: null, code, originalUrl: url },
      title: title === url ? null : title,
      createdAt: readPast(timestamp, zone, changes),
      visits: clicks ?? undefined,
      changes,
    },
    now,
  )
}
