import { type AddressedLink, type Context, definePlugin } from '../../core/plugin.ts'
import { decodeHtml } from './page-title/decode-html.ts'
import { readTitle } from './page-title/read-title.ts'

export default definePlugin({
  feature: 'link.pageTitle',
  about: 'Give a new link the title of the page that it leads to.',
  on: {
    async created(link, context) {
      if (link.title !== null) return
      const title = await findTitle(link, context)
      if (title !== undefined) await context.links.nameLink(link, title)
    },
  },
})

/** Undefined when there is no page, or no title on it: a link without one is as good as any. */
async function findTitle(
  { originalUrl }: AddressedLink,
  { fetch }: Context,
): Promise<string | undefined> {
  try {
    const { status, headers, body } = await fetch(originalUrl, {
      headers: { accept: 'text/html', 'accept-encoding': 'identity', 'user-agent': 'Linnet' },
      timeoutMs: 5_000,
      maxBytes: 256 * 1024,
    })
    const type = headers.get('content-type') ?? ''
    if (status !== 200 || !/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) return undefined
    return readTitle(decodeHtml(body, type))
  } catch {
    // Pages are down, slow or private all the time, and nobody asked for this one: it is no news.
    return undefined
  }
}
