import { type Context, definePlugin, secret, z } from 'linnet/plugin'

const settings = {
  // Anybody who knows the URL can post there, so it is not a setting that admins can read.
  webhook: secret({
    label: 'Incoming webhook',
    env: 'NOTIFIER_WEBHOOK',
    schema: z.url({ protocol: /^https?$/, error: 'give the address of an incoming webhook.' }),
  }),
}

const aDay = 24 * 60 * 60

export default definePlugin({
  feature: 'custom.notifier',
  about:
    'Tell a channel in Slack, Mattermost or Matrix of each new link, and daily of those that are opened.',
  settings,
  on: {
    created: (link, context) =>
      say(`${context.links.shortUrl(link)} leads to ${link.originalUrl}`, context),
    async visited(visits, context) {
      for (const { id } of visits) {
        const link = await context.links.find(id)
        if (!link || !(await context.throttle(`visits of ${id}`, 1, aDay))) continue
        await say(`Today ${context.links.shortUrl(link)} is opened`, context)
      }
    },
  },
})

async function say(
  text: string,
  { settings: { webhook }, fetch, throttle }: Context<typeof settings>,
) {
  // Nobody who imports thousands of links wants thousands of messages.
  if (!webhook || !(await throttle('messages', 30, 60))) return
  const { status } = await fetch(webhook, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    toOwnNetwork: true,
  })
  if (status >= 300) throw new Error(`The channel answers ${status}`)
}
