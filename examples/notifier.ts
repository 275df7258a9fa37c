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
    'Tell a channel in Slack, Mattermost or Matrix of each new link, daily of those that are opened, and what plugins tell admins.',
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
  unstable: {
    async notice({ to, level, title, text, url = '' }, context) {
      // Many people read a channel: what is for one account is not for them.
      if (to !== 'admins' || !context.settings.webhook) return false
      await post([`${signs[level]}${title}`, text, url].filter(Boolean).join('\n'), context)
      return true
    },
  },
})

const signs = { info: '', warning: 'Warning: ', problem: 'Problem: ' } as const

async function say(text: string, context: Context<typeof settings>) {
  // Nobody who imports thousands of links wants thousands of messages.
  if (await context.throttle('messages', 30, 60)) await post(text, context)
}

async function post(text: string, { settings: { webhook }, fetch }: Context<typeof settings>) {
  if (!webhook) return
  const { status } = await fetch(webhook, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    toOwnNetwork: true,
  })
  if (status >= 300) throw new Error(`The channel answers ${status}`)
}
