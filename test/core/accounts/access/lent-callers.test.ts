import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type Caller,
  definePlugin,
  endpoint,
  isRefusal,
  type TokenKeeper,
  z,
} from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

const inventions: Record<string, (given: Caller) => Caller> = {
  'an admin': () => ({ accountId: 1, isAdmin: true, scopes: ['*'] }),
  'a copy of a caller': given => ({ ...given }),
  'a copy of a caller that may do more': given => ({ ...given, scopes: ['*'] }),
  'an object made from a caller': given => Object.create(given),
  'a caller behind a proxy': given => new Proxy(given, {}),
}

const calls: Record<string, (tokens: TokenKeeper, maker: Caller) => Promise<unknown>> = {
  create: (tokens, maker) =>
    tokens.create(maker, { name: 'Mine', scopes: ['links:read'], expiresAt: null }),
  list: (tokens, maker) => tokens.list(maker, { size: 10 } as never),
  find: (tokens, maker) => tokens.find(maker, 'tok_1'),
  update: (tokens, maker) => tokens.update(maker, 'tok_1', { name: 'Yours' }),
  revoke: (tokens, maker) => tokens.revoke(maker, 'tok_1'),
}

let seen: { call: Parameters<Parameters<typeof endpoint>[0]['handle']>[0]; tokens: TokenKeeper }
let inJob: unknown

const curious = definePlugin({
  feature: 'acme.curious',
  about: 'Look at what it is given.',
  endpoints: {
    'POST /things/:id': endpoint({
      summary: 'Look',
      scope: 'links:write',
      body: z.strictObject({ word: z.string() }),
      answer: z.strictObject({ data: z.string() }),
      handle(call, { unstable: { tokens } }) {
        seen = { call, tokens }
        return { data: 'seen' }
      },
    }),
  },
  groups: {
    '/things': {
      summary: 'Numbers of a thing',
      links(_, caller) {
        seen = { ...seen, call: { ...seen.call, caller } }
        return undefined
      },
    },
  },
  jobs: {
    climb: {
      every: '17 3 * * *',
      async run({ unstable: { tokens } }) {
        const admin = { accountId: 1, isAdmin: true, scopes: ['*'] }
        inJob = await tokens.create(admin, { name: 'All', scopes: ['*'], expiresAt: null })
      },
    },
  },
})

let linnet: Harness

beforeEach(async () => {
  inJob = undefined
  linnet = await boot([curious, 'developer.apiKeys'])
  await linnet.api('POST', '/things/one', { word: 'calm' })
})

afterEach(() => linnet.stop())

it('a handler is given what its type says, and nothing more', async () => {
  expect(seen.call).toEqual({
    caller: {
      accountId: linnet.account.rowId,
      isAdmin: true,
      scopes: ['*'],
      credential: 'session',
    },
    params: { id: 'one' },
    body: { word: 'calm' },
    query: undefined,
  })
  const { caller } = seen.call
  await linnet.api('GET', '/things/one/analytics')
  expect(seen.call.caller).not.toBe(caller)
  expect(seen.call.caller).toEqual(caller)
})

it('a job cannot make a token for an admin that it made up', async () => {
  await expect(linnet.run('acme.curious.climb')).rejects.toThrow(
    /a caller that Linnet did not make/,
  )
  expect(inJob).toBeUndefined()
  expect(await tokens()).toEqual([])
})

const tries = Object.keys(inventions).flatMap(who => Object.keys(calls).map(what => [who, what]))

it.each(tries)('%s is no caller for tokens.%s', async (who = '', what = '') => {
  const invented = inventions[who]?.(seen.call.caller)
  await expect(calls[what]?.(seen.tokens, invented as Caller)).rejects.toThrow(
    /a caller that Linnet did not make/,
  )
})

it('a caller of an endpoint owns the token, and what a plugin changes about the caller changes nothing', async () => {
  const token = await linnet.api('POST', '/things/two', { word: 'x' }, await withToken())
  expect(token.status).toBe(200)
  const { caller } = seen.call
  const draft = { name: 'Mine', scopes: ['links:read'], expiresAt: new Date('2026-12-01') }
  expect(isRefusal(await seen.tokens.create(caller, draft))).toBe(false)
  Object.assign(caller, { scopes: ['*'], isAdmin: true, expiresAt: null })
  for (const more of [{ scopes: ['*'] }, { expiresAt: null }]) {
    expect(isRefusal(await seen.tokens.create(caller, { ...draft, ...more }))).toBe(true)
  }
})

/** The headers of a token that may write links for some weeks. */
async function withToken(): Promise<{ authorization: string }> {
  const made = await seen.tokens.create(seen.call.caller, {
    name: 'Weak',
    scopes: ['links:write'],
    expiresAt: new Date('2026-12-10'),
  })
  if (isRefusal(made)) throw new Error(made.detail)
  return { authorization: `Bearer ${made.token}` }
}

function tokens() {
  return linnet.db.selectFrom('api_tokens').selectAll().execute()
}
