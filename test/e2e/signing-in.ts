import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './program.ts'
import { type Server, serve } from './server.ts'

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
        check(_, answer) {
          if (answer === 'seven') throw new Error('It cannot count so far.')
          return answer === 'six' ? undefined : refuse('wrong_code', 'Not six.')
        },
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

/** A server with this plugin and a folder of its own. */
export function serveSigningIn(env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/codes.ts'), plugin)
  return serve({ dataDir, env })
}

/** What a browser with this cookie asks a server. */
export function asBrowser(cookie = '') {
  const headers = { authorization: '', cookie, 'sec-fetch-site': 'same-origin' }
  return (server: Server, method: string, path: string, body?: unknown) =>
    server.api(method, path, body, headers)
}

export const cookieIn = ({ headers }: { readonly headers: Headers }) =>
  headers.get('set-cookie')?.split(';')[0] ?? ''
