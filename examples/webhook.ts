import { createHmac } from 'node:crypto'
import { address, type Context, definePlugin, type Event, optional, secret, z } from 'linnet/plugin'

const settings = {
  url: optional(address({ label: 'Address', hint: 'Nothing is sent without one.' })),
  key: secret({
    label: 'Signing secret',
    env: 'WEBHOOK_SECRET',
    schema: z.string().regex(/^whsec_[\w+/=]{32,}$/, 'give whsec_ and 24 bytes or more in base64.'),
  }),
}

/** The most that one message should have, as https://www.standardwebhooks.com advises, in characters. */
const maxBody = 20_000

export default definePlugin({
  feature: 'custom.webhook',
  about: 'Tell another program of each change of links, tags, campaigns, domains and accounts.',
  settings,
  events: {
    kinds: ['link', 'tag', 'campaign', 'domain', 'account', 'events'],
    // What is thrown here comes again, with the same id. What was sent may come again too, if Linnet was killed meanwhile.
    async handle(event, context: Context<typeof settings>) {
      if (!context.settings.url) return
      const problem = await send(event, context.settings.url, context)
      if (problem !== undefined) throw new Error(problem)
    },
  },
})

/** Sends a message as https://www.standardwebhooks.com describes. Resolves to the reason if it was not accepted. */
async function send(event: Event, url: string, context: Context<typeof settings>) {
  const { fetch, now } = context
  const { key } = context.settings
  if (!key) return 'There is no signing secret'
  const body = bodyOf(event)
  const timestamp = `${Math.floor(now().getTime() / 1_000)}`
  const signature = createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
    .update(`${event.id}.${timestamp}.${body}`)
    .digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const { status } = await fetch(url, { method: 'POST', headers, body, toOwnNetwork: true })
  return status < 300 ? undefined : `The other program answered ${status}`
}

/** The thing as it is now, or as it was if it is gone. Left out is what it was before if that makes it too long. */
function bodyOf({ type, at, before, after, changed, actor }: Event): string {
  const message = { type, timestamp: at, data: after ?? before, changed, actor }
  const whole = JSON.stringify({ ...message, previous: after && before })
  return whole.length <= maxBody ? whole : JSON.stringify(message)
}
