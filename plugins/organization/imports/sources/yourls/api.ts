import { z } from '../../../../../core/plugin.ts'
import { openApi } from '../../reading/api.ts'
import { linkItem } from '../../reading/link-item.ts'
import { readPast } from '../../reading/moments.ts'
import { createSeen } from '../../reading/seen.ts'
import { notRead, readThing, someText } from '../../reading/service.ts'
import { readCode } from '../../reading/short-url.ts'
import { quoted } from '../../reading/texts.ts'
import { type Asked, type Item, SourceError } from '../../source.ts'

/** Links of a second come in any order, so pages have some of the page before. */
const pageSize = 10_000
const overlap = 500

const linkSchema = z.object({
  shorturl: z.string().min(1),
  url: z.string(),
  title: someText,
  timestamp: someText,
  clicks: z.coerce.number().nullish().catch(null),
})

const pageSchema = z.object({ links: z.record(z.string(), z.unknown()) })

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
  for (let start = 0; ; start += pageSize - overlap) {
    const answer = await api.get('/yourls-api.php', {
      ...{ signature, format: 'json', action: 'stats', filter: 'last', limit: pageSize, start },
    })
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
    if (links.length < pageSize || !isNew) return
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
