import { definePlugin, endpoint, listSchema, z } from '../../core/plugin.ts'
import { dashboard } from './webhooks/dashboard.ts'
import {
  deliveriesQuery,
  deliverySchema,
  listDeliveries,
  redeliver,
  replay,
  sendTest,
  showDelivery,
  span,
  wholeDelivery,
} from './webhooks/deliveries.ts'
import {
  createWebhook,
  newWebhook,
  ownWebhooks,
  rotateSecret,
  withSecret,
} from './webhooks/own-webhooks.ts'
import { secretSchema } from './webhooks/secrets.ts'
import { createSender } from './webhooks/sender.ts'
import { indexInOrder, makeTables, type OwnContext, type Tables } from './webhooks/tables.ts'
import { tellVisits } from './webhooks/tell-visits.ts'
import { hearForWebhooks, tellWebhooks } from './webhooks/tell-webhooks.ts'
import { tidy } from './webhooks/tidy.ts'

const [read, write] = ['webhooks:read', 'webhooks:write']
const group = 'Webhooks'

export default definePlugin<Tables>()({
  feature: 'developer.webhooks',
  label: 'Webhooks',
  about: 'Tell other programs of every change, signed and in order, until they have taken it.',
  scopes: [read, write],
  migrations: { '001-webhooks': makeTables, '002-order': indexInOrder },

  async setup(context) {
    await hearForWebhooks(context)
    return createSender(context)
  },
  dispose: ({ state }) => state?.close(),

  events: {
    // These come anyway: `unstable.hear` says which others do.
    kinds: ['events'],
    async handle(event, context) {
      if (event.type === 'account.deleted') await hearForWebhooks(context)
      await tellWebhooks(event, context)
      context.state.wake()
    },
  },

  jobs: {
    send: {
      label: 'Look for messages to send',
      every: '* * * * *',
      everywhere: true,
      run: ({ state }) => state.wake(),
    },
    tellVisits: {
      label: 'Tell of the visits of the hour',
      every: '6 * * * *',
      async run(context) {
        await tellVisits(context)
        context.state.wake()
      },
    },
    tidy: {
      label: 'Delete old messages',
      every: '*/10 * * * *',
      run: context => tidy(context),
    },
  },

  endpoints: {
    ...ownWebhooks.endpoints,
    'POST /webhooks': endpoint({
      summary: 'Create a webhook',
      scope: write,
      inTransaction: true,
      body: newWebhook,
      answer: withSecret,
      status: 201,
      handle: (call, context: OwnContext) => createWebhook(call, context),
    }),
    'POST /webhooks/:id/rotate': endpoint({
      summary: 'Replace the secret of a webhook; the old one stays valid for a day',
      scope: write,
      body: z.strictObject({ secret: secretSchema.optional() }).default({}),
      answer: withSecret,
      inTransaction: true,
      handle: (call, context: OwnContext) => rotateSecret(call, context),
    }),
    'POST /webhooks/:id/test': endpoint({
      summary: 'Send a test message to a webhook, at once and once',
      scope: write,
      rateLimit: { max: 10, seconds: 60 },
      answer: z.strictObject({ data: deliverySchema }),
      handle: (call, context: OwnContext) => sendTest(call, context),
    }),
    'POST /webhooks/:id/replay': endpoint({
      summary: 'Send the messages of a span to a webhook again',
      scope: write,
      rateLimit: { max: 10, seconds: 60 },
      inTransaction: true,
      body: span,
      answer: z.strictObject({ data: z.strictObject({ messages: z.int().min(0) }) }),
      handle: (call, context: OwnContext) => replay(call, context),
    }),
    'GET /webhooks/:id/deliveries': endpoint({
      summary: 'List the messages to a webhook, newest first',
      scope: read,
      query: deliveriesQuery,
      answer: listSchema(deliverySchema),
      handle: (call, context: OwnContext) => listDeliveries(call, context),
    }),
    'GET /webhooks/:webhookId/deliveries/:id': endpoint({
      summary: 'Show a message to a webhook, and what is sent',
      scope: read,
      answer: wholeDelivery,
      handle: (call, context: OwnContext) => showDelivery(call, context),
    }),
    'POST /webhooks/:webhookId/deliveries/:id/redeliver': endpoint({
      summary: 'Send a message to a webhook again',
      scope: write,
      inTransaction: true,
      answer: z.strictObject({ data: deliverySchema }),
      handle: (call, context: OwnContext) => redeliver(call, context),
    }),
    'GET /webhook-deliveries': endpoint({
      summary: 'List the messages to all your webhooks, newest first',
      group,
      scope: read,
      query: deliveriesQuery,
      answer: listSchema(deliverySchema),
      handle: (call, context: OwnContext) => listDeliveries(call, context),
    }),
  },
  unstable: { hears: 'chosen', tells: ['webhook'], dashboard },
})
