import { expect, test } from 'vitest'
import { definePlugin, endpoint, file, z } from '../../../../core/plugin.ts'
import { browser, codes, sessionIn, traveller, withBob } from './signing-in.ts'

const issuer = 'https://login.example.org'

/** Bob, whom a provider signs in; each time it calls the session there what the test says, if anything. */
async function bobAtProvider() {
  const there: { session?: string } = {}
  const company = definePlugin({
    feature: 'acme.company',
    about: 'Sign in with the company.',
    unstable: {
      providers: {
        work: {
          label: 'Company account',
          begin: ({ state }) => ({ redirect: `${issuer}/authorize?state=${state}` }),
          finish: () => ({
            ...{ issuer, subject: '7', email: 'bob@example.org', isEmailVerified: true },
            ...{ match: 'verifiedEmail' as const, ...there },
          }),
        },
      },
    },
    mounts: {
      ended: {
        async handle({ input }, { unstable }) {
          const wasOpen = await unstable.signIn.endSessions({ issuer, ...input })
          return file('text/plain', wasOpen ? 'ended' : 'none', 0)
        },
      },
    },
  })
  const { linnet } = await withBob([company, codes])
  const ended = async (query: string) => (await linnet.visit('ended', { query })).text
  async function signIn(session = '', query = '') {
    const away = traveller(linnet, session)
    return away.back((await away.go(query)).state)
  }
  const isOpen = async (session: string) =>
    (await browser(linnet, session).send('GET', '/profile')).status === 200
  return { linnet, there, ended, signIn, isOpen }
}

test('a session that a provider opened ends there, also if a second step came between', async () => {
  const { linnet, there, ended, signIn, isOpen } = await bobAtProvider()
  there.session = 'a'
  const first = sessionIn(await signIn())
  await browser(linnet, first).send('POST', '/marks')
  there.session = 'b'
  const [, ticket = ''] = (await signIn()).location?.split('#ticket=') ?? []
  const second = sessionIn(await browser(linnet).answer(ticket, 'six'))
  expect([await isOpen(first), await isOpen(second)]).toEqual([true, true])
  expect(await ended('?session=b')).toBe('ended')
  expect([await isOpen(first), await isOpen(second)]).toEqual([true, false])
  expect(await ended('?session=b')).toBe('none')
  expect(await ended('?subject=8')).toBe('none')
  expect(await ended('?subject=7')).toBe('ended')
  expect(await isOpen(first)).toBe(false)
})

test('a session that was proven again there ends with the session that proved it last', async () => {
  const { there, ended, signIn, isOpen } = await bobAtProvider()
  there.session = 'a'
  const session = sessionIn(await signIn())
  there.session = 'b'
  expect((await signIn(session, '?proof=1')).status).toBe(303)
  expect(await ended('?session=a')).toBe('none')
  expect(await isOpen(session)).toBe(true)
  expect(await ended('?session=b')).toBe('ended')
})

test.each([
  ['of the person', 'b', '?subject=7', 422],
  ['that it was, of the person', 'b', '?subject=7&session=b', 422],
  ['of a person without a name for it', undefined, '?subject=7&session=b', 422],
  ['of another person', 'b', '?subject=8', 201],
  ['of another person by the same name', 'b', '?subject=8&session=b', 201],
  ['beside it', 'b', '?subject=7&session=a', 201],
])(
  'a second step is answered no more once the session %s ended there',
  async (_, session, query, status) => {
    const { linnet, there, ended, signIn } = await bobAtProvider()
    await browser(linnet, sessionIn(await signIn())).send('POST', '/marks')
    if (session !== undefined) there.session = session
    const pending = async () => (await signIn()).location?.split('#ticket=')[1] ?? ''
    const ticket = await pending()
    await ended(query)
    expect((await browser(linnet).answer(ticket, 'six')).status).toBe(status)
    linnet.at('2026-11-20T12:00:01Z')
    expect((await browser(linnet).answer(await pending(), 'six')).status).toBe(201)
  },
)

test('what waits for a step ends by the name of a session alone if one here is open, and other names are not kept', async () => {
  const { linnet, there, ended, signIn } = await bobAtProvider()
  there.session = 'b'
  await browser(linnet, sessionIn(await signIn())).send('POST', '/marks')
  const [, ticket = ''] = (await signIn()).location?.split('#ticket=') ?? []
  const count = async () =>
    (await linnet.db.selectFrom('used_tickets').selectAll().execute()).length
  const before = await count()
  for (const name of ['c', 'd', 'e']) await ended(`?session=${name}`)
  expect(await count()).toBe(before)
  expect(await ended('?session=b')).toBe('ended')
  expect((await browser(linnet).answer(ticket, 'six')).status).toBe(422)
})

test('nothing ends where the plugin does not say whose, or has no providers', async () => {
  const { linnet, ended, signIn, isOpen } = await bobAtProvider()
  const session = sessionIn(await signIn())
  await ended('')
  expect(linnet.log.join('\n')).toContain('Say of whom sessions end')
  expect(await isOpen(session)).toBe(true)
  const stranger = definePlugin({
    feature: 'acme.stranger',
    about: 'End sessions of others.',
    endpoints: {
      'POST /ends': endpoint({
        summary: 'End sessions',
        scope: 'links:write',
        answer: z.strictObject({ data: z.boolean() }),
        handle: async (_, { unstable }) => ({
          data: await unstable.signIn.endSessions({ issuer, subject: '7' }),
        }),
      }),
    },
  })
  const { linnet: other } = await withBob([stranger])
  expect((await other.api('POST', '/ends')).status).toBe(500)
  expect(other.log.join('\n')).toContain('A plugin without providers cannot end')
})
