import {
  definePlugin,
  endpoint,
  isRefusal,
  listOf,
  listSchema,
  momentSchema,
  notFound,
  pageQuery,
  scopeSchema,
  sliceOf,
  type Token,
  tokenName,
  z,
} from '../../core/plugin.ts'

/** Expired tokens stay in the list for a month, so that their owner sees why a program stopped. */
const keepExpiredMs = 30 * 86_400_000

const scopes = z
  .array(scopeSchema)
  .min(1)
  .max(50)
  .meta({
    description: 'What the token allows, such as `links:write`; at most what you may do yourself.',
    examples: [['links:write']],
  })
const expiresAt = momentSchema()
  .nullable()
  .meta({ description: 'When the token expires; null: never.' })

const token = z.strictObject({ name: tokenName, scopes, expiresAt: expiresAt.optional() })
const newToken = token.extend({
  currentPassword: z.string().max(1_000).nullable().optional().meta({
    description:
      'Your current password. Needed when you are signed in and the token allows everything (`*`) or what admins do (`admin`).',
  }),
})
const change = token.partial()

const tokenSchema = z.strictObject({
  id: z.string().meta({ examples: ['tok_Gv8J65Sx'] }),
  name: z.string().meta({ examples: ['Website'] }),
  tokenPrefix: z.string().meta({
    description: 'The first characters of the token, to tell tokens apart.',
    examples: ['lnt_0Xv3a'],
  }),
  scopes: z.array(scopeSchema).meta({ examples: [['links:write']] }),
  lastUsedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
const answer = z.strictObject({ data: tokenSchema })
const madeAnswer = z.strictObject({
  data: tokenSchema
    .extend({
      token: z
        .string()
        .nullable()
        .meta({
          description: 'The token itself, shown only in this answer. Null if it was only tried.',
          examples: ['lnt_0Xv3a…'],
        }),
    })
    .meta({ id: 'NewApiToken' }),
})

export default definePlugin({
  feature: 'developer.apiKeys',
  label: 'API keys',
  about: 'Use the API with tokens that have scopes and an expiry date.',
  flag: 'apiAccessEnabled',
  scopes: ['api-tokens:read', 'api-tokens:write'],
  jobs: {
    forgetExpired: {
      label: 'Delete expired tokens',
      every: '17 3 * * *',
      async run({ now, log, unstable: { tokens } }) {
        const forgotten = await tokens.forgetExpired(new Date(now().getTime() - keepExpiredMs))
        if (forgotten > 0) log.info(`Forgot ${forgotten} expired API tokens`)
      },
    },
  },
  endpoints: {
    'POST /api-tokens': endpoint({
      summary: 'Create an API token',
      scope: 'api-tokens:write',
      body: newToken,
      answer: madeAnswer,
      status: 201,
      rateLimit: 'currentPassword',
      unstable: { tries: true },
      async handle(
        { caller, body: { currentPassword, ...body }, isDry },
        { unstable: { tokens } },
      ) {
        const draft = { ...body, expiresAt: dateOf(body.expiresAt ?? null) }
        const made = await tokens.create(caller, draft, currentPassword, isDry)
        if (isRefusal(made)) return made
        return { data: { ...shown(made), token: isDry ? null : made.token } }
      },
    }),
    'GET /api-tokens': endpoint({
      summary: 'List your API tokens, newest first',
      scope: 'api-tokens:read',
      query: pageQuery,
      answer: listSchema(tokenSchema),
      async handle({ caller, query }, { unstable: { tokens } }) {
        const { rows, total, next } = await tokens.list(caller, sliceOf(query))
        return listOf(rows.map(shown), total, query, '/api/v1/api-tokens', next)
      },
    }),
    'GET /api-tokens/:id': endpoint({
      summary: 'Show an API token',
      scope: 'api-tokens:read',
      answer,
      version: ({ data: { name, scopes, expiresAt } }) => ({ name, scopes, expiresAt }),
      async handle({ caller, params: { id = '' } }, { unstable: { tokens } }) {
        const token = await tokens.find(caller, id)
        return token && { data: shown(token) }
      },
    }),
    'PATCH /api-tokens/:id': endpoint({
      summary: 'Change the name, scopes or expiry date of an API token',
      scope: 'api-tokens:write',
      body: change,
      answer,
      async handle(
        { caller, params: { id = '' }, body: { name, scopes, expiresAt } },
        { unstable: { tokens } },
      ) {
        const changed = await tokens.update(caller, id, {
          ...(name !== undefined && { name }),
          ...(scopes !== undefined && { scopes }),
          ...(expiresAt !== undefined && { expiresAt: dateOf(expiresAt) }),
        })
        return !changed || isRefusal(changed) ? changed : { data: shown(changed) }
      },
    }),
    'DELETE /api-tokens/:id': endpoint({
      summary: 'Revoke an API token',
      scope: 'api-tokens:write',
      answer: z.strictObject({}),
      status: 204,
      async handle({ caller, params: { id = '' } }, { unstable: { tokens } }) {
        const revoked = await tokens.revoke(caller, id)
        if (isRefusal(revoked)) return revoked
        return revoked ? undefined : notFound
      },
    }),
  },
})

function dateOf(moment: string | null): Date | null {
  return moment === null ? null : new Date(moment)
}

function shown(token: Token) {
  return {
    id: token.id,
    name: token.name,
    tokenPrefix: token.tokenPrefix,
    scopes: [...token.scopes],
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    expiresAt: token.expiresAt?.toISOString() ?? null,
    createdAt: token.createdAt.toISOString(),
  }
}
