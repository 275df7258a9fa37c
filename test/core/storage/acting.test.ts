import { expect, it, onTestFinished } from 'vitest'
import { type Caller, type Context, definePlugin, endpoint } from '../../../core/plugin.ts'
import { boot, type Harness } from '../../harness.ts'

type Request = { readonly caller: Caller }

const shared = { feature: 'a.echo', about: 'Answers each link with another one.' } as const
const originalUrl = 'https://example.com/'

const echo = (accountId: number, { links }: Context) => links.create(accountId, { originalUrl })
const echoByApi = (accountId: number, { unstable: { callApi } }: Context) =>
  callApi(accountId, 'POST', '/links', { originalUrl })

it.each([
  [
    'on.created',
    definePlugin({
      ...shared,
      on: { created: async ({ accountId }, context) => void (await echo(accountId, context)) },
    }),
  ],
  [
    'events',
    definePlugin({
      ...shared,
      events: {
        kinds: ['link'],
        handle: async ({ accountId }, context) => void (await echo(accountId ?? 0, context)),
      },
    }),
  ],
  [
    'prepare',
    definePlugin({
      ...shared,
      prepare: async ({ accountId }, context) => void (await echo(accountId, context)),
    }),
  ],
  [
    'on.created',
    definePlugin({
      ...shared,
      on: { created: async ({ accountId }, context) => void (await echoByApi(accountId, context)) },
    }),
  ],
  [
    'events',
    definePlugin({
      ...shared,
      unstable: { tells: ['echo'] },
      events: {
        kinds: ['link', 'echo'],
        handle: ({ id }, { unstable: { tell } }) =>
          tell('echo', async () => ({
            what: 'created',
            accountId: null,
            before: null,
            after: { id },
          })),
      },
    }),
  ],
])(
  '%s of a plugin that makes a link because of each link ends, and the plugin is named',
  async (part, plugin) => {
    const linnet = await boot([plugin])
    onTestFinished(linnet.stop)
    await linnet.api('POST', '/links', { originalUrl })
    await expect
      .poll(() => linnet.log.join('\n'))
      .toMatch(
        `a.echo ${part} failed: a.echo makes a change because a plugin made one, 8 times in a row`,
      )
    await linnet.settled()
    expect(await countLinks(linnet)).toBeLessThanOrEqual(10)
  },
)

it('a plugin that has no part in a chain that ends may go on with its own work, and no event comes again', async () => {
  const echoing = definePlugin({
    ...shared,
    events: {
      kinds: ['link'],
      async handle({ type, accountId }, context) {
        if (type === 'link.created') await echo(accountId ?? 0, context)
      },
    },
  })
  const titles = definePlugin({
    feature: 'a.titles',
    about: 'Gives each link a title.',
    events: {
      kinds: ['link'],
      async handle({ type, after, accountId }, { links }) {
        if (type !== 'link.created') return
        await links.update(accountId ?? 0, String(after?.id), { title: 'x' })
      },
    },
  })
  const linnet = await boot([echoing, titles])
  onTestFinished(linnet.stop)
  await linnet.create()
  await linnet.settled()
  const all = await linnet.db.selectFrom('links').select('title').execute()
  expect(all).toEqual(Array(9).fill({ title: 'x' }))
  expect(linnet.log.filter(line => line.includes('failed'))).toEqual([
    expect.stringMatching(/^a\.echo events failed: a\.echo makes a change because/),
  ])
  await linnet.create()
  await linnet.settled()
  expect(await countLinks(linnet)).toBe(18)
})

it.each([
  [
    'tells of a thing',
    ({ caller }: Request, { unstable: { tell } }: Context) =>
      tell('thing', async () => ({
        what: 'created',
        accountId: caller.accountId,
        before: null,
        after: {},
      })),
  ],
  [
    'makes a link',
    async ({ caller }: Request, { links }: Context) =>
      void (await links.create(caller, { originalUrl })),
  ],
])(
  'a chain of changes ends for the plugin that calls an endpoint, and not for the one whose endpoint %s',
  async (_, handle) => {
    const things = definePlugin({
      feature: 'a.things',
      about: 'Has an endpoint.',
      unstable: { tells: ['thing'] },
      endpoints: {
        'POST /things': endpoint({ summary: 'Make a thing', scope: '*', status: 204, handle }),
      },
    })
    const echoing = definePlugin({
      ...shared,
      events: {
        kinds: ['link', 'thing'],
        async handle({ accountId }, { log, unstable: { callApi } }) {
          for (let calls = 0; calls < 2; calls += 1)
            log.info(String((await callApi(accountId ?? 0, 'POST', '/things')).status))
        },
      },
    })
    const linnet = await boot([things, echoing])
    onTestFinished(linnet.stop)
    expect((await linnet.api('POST', '/things')).status).toBe(204)
    await linnet.settled()
    expect(new Set(linnet.log)).toEqual(
      new Set(['204', expect.stringMatching(/^a\.echo events failed: a\.echo makes a change/)]),
    )
  },
)

it('a plugin may make as many links as it likes because of one, and each link of others begins anew', async () => {
  const plugin = definePlugin({
    ...shared,
    events: {
      kinds: ['link'],
      async handle({ accountId, actor }, context) {
        if (actor.kind === 'plugin') return
        for (let made = 0; made < 20; made += 1) await echo(accountId ?? 0, context)
      },
    },
  })
  const linnet = await boot([plugin])
  onTestFinished(linnet.stop)
  for (let made = 0; made < 10; made += 1) await linnet.create()
  await linnet.settled()
  expect(await countLinks(linnet)).toBe(210)
  expect(linnet.log.filter(line => line.includes('failed'))).toEqual([])
})

async function countLinks({ db }: Harness): Promise<number> {
  const { fn } = db
  const { count } = await db
    .selectFrom('links')
    .select(fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
