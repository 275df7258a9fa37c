import { onTestFinished } from 'vitest'
import { hashPassword } from '../../../../core/lib/passwords.ts'
import { publicId } from '../../../../core/lib/public-id.ts'
import { definePlugin, endpoint, type Plugin, refuse, z } from '../../../../core/plugin.ts'
import { type Answer, boot, type Harness, type HarnessOptions } from '../../../harness.ts'
import { addAccount } from '../../accounts/add-account.ts'

export const password = 'analytical engine'
export const email = 'bob@example.org'
const done = z.strictObject({ data: z.string() })

const notSix = refuse('not_six', { en: 'This is not six.', de: 'Das ist nicht sechs.' }, 418)

/** A second step whose right answer is `six`. */
export const codes = definePlugin({
  feature: 'acme.codes',
  about: 'Ask for a code.',
  translations: { de: { 'A code': 'Ein Code' } },
  unstable: {
    steps: {
      code: {
        label: 'A code',
        method: 'otp',
        ask: ({ email }) => ({
          text: { en: `The code of ${email}`, de: `Der Code von ${email}` },
          kind: 'code',
        }),
        check: (_, answer) => (answer === 'six' ? undefined : notSix),
      },
    },
  },
  endpoints: {
    'POST /marks': endpoint({
      summary: 'Need a code from now on',
      scope: 'links:write',
      answer: done,
      async handle({ caller }, { unstable }) {
        await unstable.signIn.requireStep(caller.accountId, true)
        return { data: 'marked' }
      },
    }),
    'DELETE /marks': endpoint({
      summary: 'Need no code any more',
      scope: 'links:write',
      answer: done,
      unstable: { fresh: 60 },
      async handle({ caller }, { unstable }) {
        await unstable.signIn.requireStep(caller.accountId, false)
        return { data: 'unmarked' }
      },
    }),
  },
})

/** Linnet with these plugins and with Bob, who has a password. */
export async function withBob(plugins: readonly Plugin[], options: HarnessOptions = {}) {
  const linnet = await boot(plugins, options)
  onTestFinished(() => linnet.stop())
  const account = await addAccount(linnet.db, {
    email,
    passwordHash: await hashPassword(password),
  })
  return { linnet, account, id: publicId('acc', account.id) }
}

/** What a browser without a session asks, or with one. */
export function browser(linnet: Harness, cookie = '') {
  const headers = { cookie }
  const send = (method: string, path: string, body?: unknown, more = {}) =>
    linnet.api(method, path, body, { ...headers, ...more })
  return {
    send,
    signIn: (more = {}) => send('POST', '/session', { email, password }, more),
    answer: (ticket: string, answer?: string, more = {}) =>
      send('POST', '/session/step', { ticket, answer }, more),
  }
}

const api = 'api/v1/session'

/** A browser that signs in at the provider `acme.company` `work`. */
export function traveller(linnet: Harness, session = '') {
  let cookie = ''
  return {
    /** Goes there; `state` is what the provider got. */
    async go(query = '') {
      const headers = { cookie: session }
      const sent = await linnet.visit(`${api}/with/acme.company/work`, { query, headers })
      cookie = String(sent.headers['set-cookie'] ?? '')
        .split(';', 1)
        .join()
      const state = new URLSearchParams(sent.location?.split('?')[1]).get('state') ?? ''
      return { ...sent, state, cookie }
    },
    /** Comes back, with this cookie of an attempt. */
    back(state: string, given = cookie, more = '') {
      const headers = { cookie: [session, given].filter(Boolean).join('; ') }
      const query = `?code=1&state=${state}${more}`
      return linnet.visit(`${api}/from/acme.company/work`, { query, headers })
    },
  }
}

/** The cookie of the session that an answer opened, as a browser sends it back; empty if it opened none. */
export function sessionIn({ headers }: { readonly headers: Answer['headers'] }): string {
  return /^(__Host-linnet=[^;]+);/.exec(String(headers['set-cookie'] ?? ''))?.[1] ?? ''
}
