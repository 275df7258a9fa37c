import { onTestFinished } from 'vitest'
import type { Fetch } from '../../../../core/plugin.ts'
import plugin from '../../../../plugins/organization/single-sign-on.ts'
import { boot, type Harness, type HarnessOptions } from '../../../harness.ts'

const api = 'api/v1/session'
const name = 'organization.singleSignOn/oidc'

/** Where the provider sends people back to. */
export const returnUrl = `https://go.example.org/${api}/from/${name}`

/** Asks servers on this machine, which plugins must not by default. */
export const ask: Fetch = async (url, { method = 'GET', headers = {}, body, redirect } = {}) => {
  const given = { method, headers, ...(body !== undefined && { body: String(body) }) }
  const answer = await fetch(url, { ...given, redirect: redirect ?? 'follow' })
  return {
    ...{ status: answer.status, url: answer.url, headers: answer.headers, isWhole: true },
    body: Buffer.from(await answer.arrayBuffer()),
  }
}

/** Linnet with the plugin, with the clock of this machine, as its provider has it. */
export async function start(
  settings: Readonly<Record<string, string | boolean | readonly string[]>>,
  { fetch = ask, ...more }: HarnessOptions = {},
): Promise<Harness> {
  const linnet = await boot([plugin, 'analytics.visitsTracking'], {
    at: new Date().toISOString(),
    env: { LINNET_OIDC_SECRET: 'the secret' },
    fetch,
    ...more,
    settings: {
      plugins: { settings: { 'organization.singleSignOn': { clientId: 'linnet', ...settings } } },
    },
  })
  onTestFinished(() => linnet.stop())
  return linnet
}

interface SignedIn {
  readonly location: string | undefined
  /** Empty if nobody was signed in. */
  readonly cookie: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  readonly profile: any
}

/** Goes to the provider and comes back as `through` says; gives where that led, and who is signed in. */
export async function signIn(
  linnet: Harness,
  through: (location: string) => string | Promise<string>,
  { query = '', session = '' } = {},
): Promise<SignedIn> {
  const sent = await linnet.visit(`${api}/with/${name}`, { query, headers: { cookie: session } })
  const [away = ''] = String(sent.headers['set-cookie'] ?? '').split(';')
  if (!away.includes('=') || away.endsWith('=')) {
    return { location: sent.location, cookie: '', profile: undefined }
  }
  const back = new URL(await through(sent.location ?? ''))
  const returned = await linnet.visit(`${api}/from/${name}`, {
    query: back.search,
    headers: { cookie: `${session}; ${away}` },
  })
  const cookies = [returned.headers['set-cookie'] ?? []].flat().map(String)
  const [cookie = ''] = cookies.find(it => it.startsWith('__Host-linnet='))?.split(';') ?? []
  const profile = await linnet.api('GET', '/profile', undefined, { cookie })
  return { location: returned.location, cookie, profile: profile.body?.data }
}
