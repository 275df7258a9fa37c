import { createHmac, timingSafeEqual } from 'node:crypto'
import { definePlugin, file, isRefusal, refuse, secret, z } from 'linnet/plugin'

/** What GitHub sends when a release is published, changed or deleted: https://docs.github.com/webhooks */
const release = z.object({
  action: z.string(),
  release: z.object({ html_url: z.string(), name: z.string().nullable(), tag_name: z.string() }),
})

/** Nothing is said of why, as the one who guesses would learn of it. */
const unsigned = refuse('unsigned', 'The signature of this request is missing or wrong.', 401)

export default definePlugin({
  feature: 'custom.releaseLinks',
  label: 'Links to releases',
  group: 'Developer',
  about: 'Make a link to each release of a repository when GitHub tells of it.',
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
      async handle({ headers, bytes, caller }, { settings, links }) {
        if (!isSigned(bytes, headers['x-hub-signature-256'] ?? '', settings.secret)) return unsigned
        if (headers['x-github-event'] !== 'release')
          return file('text/plain', 'Not of interest.', 0)
        const { success, data } = release.safeParse(parsed(bytes))
        if (!success) return refuse('validation_failed', 'This is not an event of a release.')
        if (data.action !== 'published') return file('text/plain', 'Not of interest.', 0)
        const owner = await caller('links:write')
        if (isRefusal(owner)) return owner
        const { html_url: originalUrl, name, tag_name: tag } = data.release
        const made = await links.create(owner, { originalUrl, title: name ?? tag })
        return isRefusal(made) ? made : file('text/plain', links.shortUrl(made), 0, 201)
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
