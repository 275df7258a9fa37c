import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { admin } from './server.ts'
import { asBrowser, cookieIn, serveSigningIn } from './signing-in.ts'

const path = (way: string) => `/session/${way}/acme.codes/work`

itAtNight(
  'a sign-in at a provider is finished by the browser that began it, once, and stays on this site',
  async () => {
    const server = await serveSigningIn()
    async function go(next = '') {
      const query = next && `?next=${encodeURIComponent(next)}`
      const sent = await asBrowser()(server, 'GET', path('with') + query)
      return { cookie: cookieIn(sent), state: sent.headers.get('location')?.split('state=')[1] }
    }
    async function back(cookie: string, state = '') {
      const query = `?state=${state}&error_description=%3Cscript%3E`
      const { status, headers, text } = await asBrowser(cookie)(server, 'GET', path('from') + query)
      return { status, text, led: headers.get('location'), session: cookieIn({ headers }) }
    }
    const expired = '/dashboard/sign-in?problem=sign_in_expired'
    const [evil, own] = [await go(), await go('/dashboard/links?tag=a')]
    for (const [cookie, state] of [
      ['', evil.state],
      [own.cookie, evil.state],
      [evil.cookie, own.state],
    ] as const) {
      const { status, text, led, session } = await back(cookie, state)
      expect([status, text, led]).toEqual([303, '', expired])
      expect(session).not.toMatch(/^linnet=./)
    }
    const signedIn = await back(own.cookie, own.state)
    expect(signedIn.led).toBe('/dashboard/links?tag=a')
    const profile = await asBrowser(signedIn.session)(server, 'GET', '/profile')
    expect(profile.body.data).toMatchObject({ email: 'bob@example.org', hasPassword: false })
    expect((await back(own.cookie, own.state)).led).toBe(expired)
    for (const next of [
      'https://evil.example/',
      '//evil.example/',
      '/.//evil.example/',
      '/\\evil.example/',
    ]) {
      const { cookie, state } = await go(next)
      expect((await back(cookie, state)).led).toBe('/dashboard/')
    }
  },
)

itAtNight('a second step that throws opens nothing, and others sign in', async () => {
  const server = await serveSigningIn()
  const signIn = (who: object) => asBrowser()(server, 'POST', '/session', who)
  const session = cookieIn(await signIn(admin))
  expect((await asBrowser(session)(server, 'POST', '/marks')).status).toBe(200)
  const { ticket } = (await signIn(admin)).body
  const answer = (text: string) =>
    asBrowser()(server, 'POST', '/session/step', { ticket, answer: text })
  for (let n = 0; n < 25; n += 1) {
    expect(await answer('seven')).toMatchObject({
      ...{ status: 503, body: { code: 'second_step_unavailable' } },
    })
  }
  const other = { email: 'eve@example.org', password: 'analytical engine' }
  expect((await server.api('POST', '/admin/accounts', other)).status).toBe(201)
  const eve = cookieIn(await signIn(other))
  expect((await asBrowser(eve)(server, 'POST', '/marks')).status).toBe(200)
  const asked = await signIn(other)
  const opened = await asBrowser()(server, 'POST', '/session/step', {
    ...{ ticket: asked.body.ticket, answer: 'six' },
  })
  expect(opened.status).toBe(201)
  await server.logged(/^acme\.codes steps code check failed: It cannot count so far\.$/)
})
