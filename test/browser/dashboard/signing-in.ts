import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { codeOf } from '../../authenticator-app.ts'
import { root, temporaryFolder } from '../../e2e/program.ts'
import { admin, type Instance, serve } from '../../e2e/server.ts'
import { openSqlite } from '../../inside.ts'

/** A server with the example for signing in, and with providers that let everybody in as somebody. */
export async function serveSigningIn(): Promise<Instance> {
  const dataDir = temporaryFolder()
  const plugins = join(dataDir, 'plugins')
  mkdirSync(plugins)
  cpSync(join(root, 'examples/single-sign-on.ts'), join(plugins, 'single-sign-on.ts'))
  writeFileSync(join(plugins, 'company.js'), company)
  writeFileSync(join(plugins, 'phone.js'), phone)
  return serve({ dataDir, env: { SINGLE_SIGN_ON_SECRET: 'the secret' } })
}

const company = `
import { definePlugin, endpoint, refuse, z } from 'linnet/plugin'

const straightBack = ({ returnUrl, state }) => ({ redirect: returnUrl + '?state=' + state })
const issuer = 'https://company.example'
const ada = { issuer, subject: 'ada', email: '${admin.email}', isEmailVerified: true }
const grace = { issuer, subject: 'grace', email: 'grace@example.org', isEmailVerified: true }
const done = z.strictObject({ data: z.string() })

export default definePlugin({
  feature: 'acme.company',
  about: 'Lets everybody in as somebody.',
  unstable: {
    providers: {
      staff: { label: 'Staff', begin: straightBack, finish: () => ({ ...ada, match: 'verifiedEmail' }) },
      guests: { label: 'Guests', begin: straightBack, finish: () => ({ ...grace, create: {} }) },
      others: { label: 'Others', begin: straightBack, finish: () => ({ ...grace, issuer: 'https://other.example', match: 'verifiedEmail' }) },
      strangers: { label: 'Strangers', begin: straightBack, finish: () => ({ issuer, subject: 'eve' }) },
      nobody: { label: 'Nobody', begin: () => refuse('closed_today', 'Come <b>back</b>.'), finish: () => ada },
      broken: { label: 'Broken', begin: straightBack, finish() { throw new Error('boom') } },
    },
    steps: {
      nod: {
        label: 'A nod',
        method: 'user',
        ask: () => ({ text: 'Nod twice.', kind: 'confirm' }),
        check: (_, answer) => (answer === 'yes' ? undefined : refuse('no_nod', 'That was no nod.')),
      },
    },
  },
  endpoints: {
    'POST /nods': endpoint({
      summary: 'Ask for a nod from now on',
      scope: '*',
      answer: done,
      async handle({ caller }, { unstable }) {
        await unstable.signIn.requireStep(caller.accountId, true)
        return { data: 'on' }
      },
    }),
  },
})
`

/** A step that stands in for that of the example. */
const phone = `
import { definePlugin, endpoint, refuse, z } from 'linnet/plugin'

export default definePlugin({
  feature: 'acme.phone',
  about: 'Calls people.',
  unstable: {
    steps: {
      call: {
        label: 'A call',
        method: 'tel',
        oneOf: 'secondFactor',
        ask: () => ({ text: 'What did the voice say?', kind: 'text' }),
        check: (_, answer) => (answer === 'tulip' ? undefined : refuse('no', 'It said something else.')),
      },
    },
  },
  endpoints: {
    'POST /calls': endpoint({
      summary: 'Be called from now on',
      scope: '*',
      answer: z.strictObject({ data: z.string() }),
      async handle({ caller }, { unstable }) {
        await unstable.signIn.requireStep(caller.accountId, true)
        return { data: 'on' }
      },
    }),
  },
})
`

/** Calls the API as whoever is signed in in the browser. */
export async function call(
  page: Page,
  { url }: Instance,
  method: string,
  path: string,
  data?: object,
) {
  const answer = await page.request.fetch(`${url}/api/v1${path}`, {
    method,
    headers: { origin: url },
    ...(data && { data }),
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.status() === 204 ? undefined : (await answer.json()).data
}

/** Turns the second factor on for whoever is signed in, and returns codes that work once each. */
export async function turnOn(page: Page, server: Instance): Promise<readonly string[]> {
  const { secret } = await call(page, server, 'POST', '/second-factor')
  const code = codeOf(secret)
  return (await call(page, server, 'POST', '/second-factor/confirm', { code })).recoveryCodes
}

/** Lets the sessions of an instance be as old as the hills, which no request can do. */
export async function ageSessions({ dataDir }: Instance): Promise<void> {
  const storage = await openSqlite(join(dataDir, 'linnet.db'))
  await storage.db.updateTable('sessions').set({ authenticated_at: 0 }).execute()
  await storage.close()
}

/** The hosts for which passkeys were made. */
export async function hostsOfPasskeys({ dataDir }: Instance): Promise<readonly object[]> {
  const storage = await openSqlite(join(dataDir, 'linnet.db'))
  const passkeys = storage.db.selectFrom('organization_second_factor_passkeys' as 'meta')
  const rows = await passkeys.select('host' as never).execute()
  await storage.close()
  return rows
}

/** Types the e-mail address and the password of the admin. */
export async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.keyboard.press('Enter')
}

/** A browser whose device has an authenticator that always agrees, unless it is told not to. */
export async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
    ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  }
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    /** Whether somebody touches it when it asks for that. */
    async agree(enabled: boolean): Promise<void> {
      await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
