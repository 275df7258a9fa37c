import { createHmac, timingSafeEqual } from 'node:crypto'
import { definePlugin, file, isRefusal, refuse, secret, z } from 'linnet/plugin'

/** What GitHub sends when a release is published, withdrawn or deleted: https://docs.github.com/webhooks */
const sent = z.object({
  action: z.string(),
  release: z.object({
    id: z.int(),
    html_url: z.string(),
    name: z.string().nullable(),
    tag_name: z.string(),
  }),
})
const gone = ['unpublished', 'deleted']

/** Nothing is said of why, as the one who guesses would learn of it. */
const unsigned = refuse('unsigned', 'The signature of this request is missing or wrong.', 401)

export default definePlugin({
  feature: 'custom.releaseLinks',
  label: 'Links to releases',
  group: 'Developer',
  about:
    'Make a link to each release of a repository when GitHub tells of it, and delete it with the release.',
  needs: ['developer.apiKeys'],
  settings: {
    secret: secret({ label: 'Secret of the webhook', env: 'RELEASES_SECRET' }),
    token: secret({ label: 'API token', env: 'RELEASES_TOKEN' }),
  },
  mounts: {
    'github-releases': {
      methods: ['POST'],
      headers: ['x-github-event', 'x-hub-signature-256'],
      // The signature is over the bytes that were sent, so nothing parses them before.
      bodies: ['bytes'],
      maxBytes: 1024 * 1024,
      // GitHub has no token of Linnet, so the links are those of the token that the operator gave.
      token: (_, { settings: { token } }) => token,
      async handle({ headers, bytes, caller }, { settings, links, store }) {
        if (!isSigned(bytes, headers['x-hub-signature-256'] ?? '', settings.secret)) return unsigned
        if (headers['x-github-event'] !== 'release')
          return file('text/plain', 'Not of interest.', 0)
        const { success, data } = sent.safeParse(parsed(bytes))
        if (!success) return refuse('validation_failed', 'This is not an event of a release.')
        const owner = await caller('links:write')
        if (isRefusal(owner)) return owner
        const { id: release, html_url: originalUrl, name, tag_name: tag } = data.release
        const before = await store.get(`${release}`)
        if (gone.includes(data.action) && typeof before === 'string') {
          const removed = await links.remove(owner, before)
          return isRefusal(removed) ? removed : file('text/plain', 'Deleted.', 0)
        }
        if (data.action !== 'published') return file('text/plain', 'Not of interest.', 0)
        if (typeof before === 'string') {
          // A release that was withdrawn and is published again has its short URL again, with its visits.
          const restored = await links.restore(owner, before)
          if (!isRefusal(restored)) return file('text/plain', links.shortUrl(restored), 0, 201)
        }
        const made = await links.create(owner, { originalUrl, title: name ?? tag })
        if (isRefusal(made)) return made
        await store.set(`${release}`, made.id)
        return file('text/plain', links.shortUrl(made), 0, 201)
      },
    },
  },
})

function isSigned(bytes: Uint8Array, signature: string, secret: string | undefined): boolean {
  if (!secret) return false
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
