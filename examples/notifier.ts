import { definePlugin, secret, z } from 'linnet/plugin'

export default definePlugin({
  feature: 'custom.notifier',
  about: 'Tell a channel in Slack, Mattermost or Matrix of each new link.',
  settings: {
    // Whoever has the address may write there, so it is no setting that an admin can read.
    webhook: secret({
      label: 'Incoming webhook',
      env: 'NOTIFIER_WEBHOOK',
      schema: z.url({ protocol: /^https?$/, error: 'give the address of an incoming webhook.' }),
    }),
  },
  on: {
    async created(link, { settings: { webhook }, links, fetch, throttle }) {
      // Who imports thousands of links wants no thousands of messages.
      if (!webhook || !(await throttle('messages', 30, 60))) return
      const text = `${links.shortUrl(link)} leads to ${link.originalUrl}`
      const { status } = await fetch(webhook, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
        toOwnNetwork: true,
      })
      if (status >= 300) throw new Error(`The channel answers ${status}`)
    },
  },
})
