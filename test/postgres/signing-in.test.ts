import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../e2e/program.ts'
import { admin, type Server, serve } from '../e2e/server.ts'
import { url } from './own-server.ts'

/** Asks for a code, and knows Bob who comes back from elsewhere. */
const plugin = `
import { definePlugin, endpoint, refuse, z } from 'linnet/plugin'
export default definePlugin({
  feature: 'acme.codes',
  about: 'Ask for a code.',
  unstable: {
    steps: {
      code: {
        label: 'Code',
        method: 'otp',
        ask: () => ({ text: 'Which code?', kind: 'code' }),
        check: (_, answer) => (answer === 'six' ? undefined : refuse('wrong_code', 'Not six.')),
      },
    },
    providers: {
      work: {
        label: 'Work',
        begin: ({ state }) => ({ redirect: 'https://login.example.org/?state=' + state }),
        finish: () => ({
          issuer: 'https://login.example.org',
          subject: '7',
          email: 'bob@example.org',
          isEmailVerified: true,
          create: {},
        }),
      },
    },
  },
  endpoints: {
    'POST /marks': endpoint({
      summary: 'Need a code from now on',
      scope: 'links:write',
      answer: z.strictObject({ data: z.string() }),
      async handle({ caller }, { unstable }) {
        await unstable.signIn.requireStep(caller.accountId, true)
        return { data: 'marked' }
      },
    }),
  },
})
`

/** A server with a folder of its own, on the database of the test. */
function another(): Promise<Server> {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/codes.ts'), plugin)
  return serve({ dataDir, env: { DATABASE_URL: url } })
}

function asBrowser(cookie = '') {
  const headers = { authorization: '', cookie, 'sec-fetch-site': 'same-origin' }
  return (server: Server, method: string, path: string, body?: unknown) =>
    server.api(method, path, body, headers)
}

const cookieIn = ({ headers }: { readonly headers: Headers }) =>
  headers.get('set-cookie')?.split(';')[0] ?? ''

it('a second step that one server asked can be answered at another, once', async () => {
  const [one, other] = [await another(), await another()]
  const nobody = asBrowser()
  const cookie = cookieIn(await nobody(one, 'POST', '/session', admin))
  expect((await asBrowser(cookie)(other, 'POST', '/marks')).status).toBe(200)
  const asked = await nobody(one, 'POST', '/session', admin)
  expect(asked).toMatchObject({ status: 401, body: { code: 'second_step_required' } })
  const { ticket } = asked.body
  const answers = [other, one, other, one].map(server =>
    nobody(server, 'POST', '/session/step', { ticket, answer: 'six' }),
  )
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 422, 422, 422])
})

it('a sign-in at a provider that began at one server ends at another, once, with one account', async () => {
  const [one, other] = [await another(), await another()]
  const path = (way: string) => `/session/${way}/acme.codes/work`
  async function go() {
    const sent = await asBrowser()(one, 'GET', path('with'))
    const state = sent.headers.get('location')?.split('state=')[1]
    const back = asBrowser(cookieIn(sent))
    return (server: Server) => back(server, 'GET', `${path('from')}?state=${state}`)
  }
  const attempts = [await go(), await go()]
  const came = await Promise.all(attempts.flatMap(back => [back(other), back(one)]))
  const led = came.map(({ headers }) => headers.get('location'))
  const expired = '/dashboard/sign-in?problem=sign_in_expired'
  expect(led.sort()).toEqual(['/dashboard/', '/dashboard/', expired, expired])
  const opened = came.filter(({ headers }) => headers.get('location') === '/dashboard/')
  const profiles = await Promise.all(
    opened.map(it => asBrowser(cookieIn(it))(other, 'GET', '/profile')),
  )
  const [first, second] = profiles.map(({ body }) => body.data)
  expect(first).toMatchObject({ email: 'bob@example.org', hasPassword: false })
  expect(second.id).toBe(first.id)
})
