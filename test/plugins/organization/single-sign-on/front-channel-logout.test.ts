import { describe, expect, it } from 'vitest'
import { issuer, lyingProvider } from './lying-provider.ts'
import { ask, signIn, start } from './sign-in-at.ts'

const path = 'api/v1/front-channel-logout'

/** Bob is signed in, by a session of the provider that it calls `s1`. */
async function bobSignedIn(claims: object = { sid: 's1' }) {
  const { fetch, through } = lyingProvider({ claims })
  const linnet = await start({ issuer, createsAccounts: true }, { fetch })
  const { cookie } = await signIn(linnet, through)
  /** As a frame loads it, to which no cookie is sent. */
  const load = async (query: string) => (await linnet.visit(path, { query })).status
  const isSignedIn = async () =>
    (await linnet.api('GET', '/profile', undefined, { cookie })).status === 200
  return { linnet, load, isSignedIn }
}

const iss = encodeURIComponent(issuer)

describe('a frame that the provider shows who signs out there', () => {
  it.each([
    ['with session and issuer', `?iss=${iss}&sid=s1`],
    ['with the session alone, as Microsoft Entra does', '?sid=s1'],
  ])('ends the session here, %s', async (_, query) => {
    const { load, isSignedIn } = await bobSignedIn()
    expect(await isSignedIn()).toBe(true)
    expect(await load(query)).toBe(200)
    expect(await isSignedIn()).toBe(false)
    expect(await load(query)).toBe(200)
  })

  it.each([
    ['of another session', '?sid=s2', 200],
    ['of another issuer', '?iss=https://evil.example&sid=s1', 400],
    ['without a session', `?iss=${iss}`, 400],
    ['of a session without a name', '?sid=', 400],
  ])('ends nothing, %s', async (_, query, status) => {
    const { load, isSignedIn } = await bobSignedIn()
    expect(await load(query)).toBe(status)
    expect(await isSignedIn()).toBe(true)
  })

  it('ends nothing of a provider that names no sessions, nor by the name of a person', async () => {
    const { load, isSignedIn } = await bobSignedIn({})
    expect(await load('?sid=null')).toBe(200)
    expect(await load('?sub=bob')).toBe(400)
    expect(await isSignedIn()).toBe(true)
  })

  it('is not there before the provider is set up', async () => {
    const linnet = await start({}, { fetch: ask })
    expect((await linnet.visit(path, { query: '?sid=s1' })).status).toBe(404)
  })
})
