import { type AddressedLink, type Context, definePlugin, isWebAddress } from '../../core/plugin.ts'
import { decodeHtml } from './page-title/decode-html.ts'
import { createQueue } from './page-title/queue.ts'
import { readTitle } from './page-title/read-title.ts'

export default definePlugin({
  feature: 'link.pageTitle',
  about: 'Give a new link the title of the page it leads to.',
  setup: () => ({ queue: createQueue(100) }),
  on: {
    created(link, context) {
      if (link.title !== null || !isWebAddress(link.originalUrl)) return
      context.state.queue(link.accountId, () => giveTitle(link, context))
    },
  },
})

/** Never rejects: if the title cannot be saved, the link stays without one. */
async function giveTitle(link: AddressedLink, context: Context): Promise<void> {
  const title = await findTitle(link, context)
  try {
    if (title !== undefined) await context.unstable.links.nameLink(link, title)
  } catch (error) {
    context.log.warn('The title of a page could not be saved', { error })
  }
}

/** Returns undefined if there is no page or it has no title: a link does not need one. */
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
    // Not logged: pages are often down, slow or private, and nobody asked for this title.
    return undefined
  }
}
