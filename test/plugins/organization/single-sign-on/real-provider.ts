import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import InMemory from 'oidc-provider/lib/adapters/memory_adapter.js'
import { onTestFinished } from 'vitest'

/** What the provider knows of somebody, by their subject. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface RealProvider {
  readonly issuer: string
  readonly port: number
  /** Who is at the browser; undefined says no. */
  who: string | undefined
  readonly people: Record<string, Readonly<Record<string, unknown>>>
  /** The paths that were asked for. */
  readonly asked: string[]
  close(): Promise<void>
}

interface Options {
  readonly returnUrl: string
  readonly port?: number
  /** Of the client. */
  readonly client?: object
  /** Of the provider. */
  readonly configuration?: object
  /** At the end of the path of the issuer. */
  readonly path?: string
}

/** A provider on this machine, whose login page lets in who the test says. */
export async function startProvider({
  returnUrl,
  port = 0,
  client = {},
  configuration = {},
  path = '',
}: Options): Promise<RealProvider> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${address.port}${path}`
  const close = () => end(server)
  onTestFinished(close)
  const real: RealProvider = {
    ...{ issuer, port: address.port, who: 'bob', asked: [], close },
    people: { bob: { email: 'bob@example.org', email_verified: true, name: 'Bob' } },
  }
  const provider = new Provider(issuer, {
    adapter: Kept,
    clients: [
      {
        ...{ client_id: 'linnet', client_secret: 'the secret', redirect_uris: [returnUrl] },
        id_token_signed_response_alg: 'ES256',
        ...client,
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups', 'realm_access'] },
    cookies: { keys: ['of the test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ ...real.people[accountId], sub: accountId }),
    }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      Grant: 60,
      IdToken: 60,
      Interaction: 60,
      Session: 60,
    },
    jwks: { keys: [signingKey()] },
    renderError(context: { body: unknown }, out: unknown) {
      context.body = JSON.stringify(out)
    },
    // Who signs in agrees.
    async loadExistingGrant({ oidc }: { oidc: AskedAt }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    ...configuration,
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const { url = '' } = request
    real.asked.push(url.replace(/\?.*/, ''))
    if (!url.startsWith('/interaction/')) {
      request.url = url.replace(path.replace(/\/$/, ''), '')
      return answer(request, response)
    }
    const result =
      real.who === undefined ? { error: 'access_denied' } : { login: { accountId: real.who } }
    void provider.interactionFinished(request, response, result)
  })
  return real
}

/** The provider warns of its own class. */
class Kept extends InMemory {}

interface AskedAt {
  readonly client: { readonly clientId: string }
  readonly session: { readonly accountId: string }
  readonly provider: {
    readonly Grant: new (
      of: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<unknown> }
  }
}

/** Another one each time. */
export function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise(done => server.close(done))
}

/** Follows a browser through the provider, with its cookies, until it is sent to another server. */
export function browser(cookies = new Map<string, string>()) {
  return async (location: string): Promise<string> => {
    const { origin } = new URL(location)
    let next = location
    while (new URL(next).origin === origin) {
      const cookie = [...cookies].map(it => it.join('=')).join('; ')
      const answer = await fetch(next, { headers: { cookie }, redirect: 'manual' })
      for (const set of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? []
        cookies.set(name, value)
      }
      const to = answer.headers.get('location')
      if (to === null) throw new Error(`${next} answers ${answer.status}: ${await answer.text()}`)
      next = new URL(to, next).href
    }
    return next
  }
}
