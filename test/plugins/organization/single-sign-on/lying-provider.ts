import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { Fetch } from '../../../../core/plugin.ts'

export const issuer = 'https://login.example.org'

const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const others = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** What the provider says other than the truth. */
export interface Lies {
  readonly metadata?: object
  readonly header?: object
  readonly claims?: object
  /** How the ID token is signed; by default as it should be. */
  readonly signed?: 'by another key' | 'by the secret' | 'not at all'
  readonly userInfo?: object
  /** Parameters that the browser comes back with, besides code and state. */
  readonly query?: Readonly<Record<string, string>>
  /** Its keys besides the one of its ID tokens. */
  readonly keys?: readonly object[]
  /** The status of its answers. */
  readonly status?: number
}

/** A provider at which Bob is signed in, and that says of him and of itself what the test wants. */
export function lyingProvider(lies: Lies = {}) {
  let nonce = ''
  const asked: string[] = []
  const fetch: Fetch = async url => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    const body = Buffer.from(JSON.stringify(answerTo(pathname)))
    const headers = new Headers({ 'content-type': 'application/json' })
    return { status: lies.status ?? 200, url, headers, body, isWhole: true }
  }

  function answerTo(path: string): object {
    if (path.endsWith('openid-configuration')) {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize?ui=1`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...lies.metadata,
      }
    }
    if (path === '/keys') {
      return { keys: [keys.publicKey.export({ format: 'jwk' }), ...(lies.keys ?? [])] }
    }
    if (path === '/userinfo') return { sub: 'bob', ...lies.userInfo }
    return { access_token: 'access', token_type: 'Bearer', id_token: idToken() }
  }

  function idToken(): string {
    const at = Math.floor(Date.now() / 1_000)
    const bob = { iss: issuer, sub: 'bob', aud: 'linnet', iat: at, exp: at + 60, nonce }
    const email = { email: 'bob@example.org', email_verified: true }
    const alg = { 'by the secret': 'HS256', 'not at all': 'none' }[String(lies.signed)] ?? 'RS256'
    const text = [
      { alg, ...lies.header },
      { ...bob, ...email, groups: ['staff'], ...lies.claims },
    ]
      .map(it => Buffer.from(JSON.stringify(it)).toString('base64url'))
      .join('.')
    return `${text}.${signatureOf(text)}`
  }

  function signatureOf(text: string): string {
    if (lies.signed === 'not at all') return ''
    if (lies.signed === 'by the secret') {
      return createHmac('sha256', 'the secret').update(text).digest('base64url')
    }
    const { privateKey } = lies.signed === undefined ? keys : others
    return sign('sha256', Buffer.from(text), privateKey).toString('base64url')
  }

  /** The page where Bob says yes. */
  function through(location: string): string {
    const { searchParams } = new URL(location)
    nonce = searchParams.get('nonce') ?? ''
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    const query = { code: 'right', state: searchParams.get('state') ?? '', ...lies.query }
    back.search = new URLSearchParams(query).toString()
    return back.href
  }

  return { fetch, through, asked }
}
