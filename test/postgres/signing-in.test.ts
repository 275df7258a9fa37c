import { expect, it } from 'vitest'
import { admin, type Server, serve } from '../e2e/server.ts'
import { asBrowser, cookieIn, serveSigningIn } from '../e2e/signing-in.ts'
import { url } from './own-server.ts'

const another = () => serveSigningIn({ DATABASE_URL: url })

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

it('an account that one server suspends is shut at the other at once, and so are its links', async () => {
  const [one, other] = [await serve({ env: { DATABASE_URL: url } }), await another()]
  const created = await one.api('POST', '/admin/accounts', {
    email: 'grace@example.org',
    password: 'analytical engine',
  })
  const account = `/admin/accounts/${created.body.data.id}`
  const browser = asBrowser()
  const sent = { email: 'grace@example.org', password: 'analytical engine' }
  const grace = asBrowser(cookieIn(await browser(one, 'POST', '/session', sent)))
  const { body } = await grace(other, 'POST', '/links', { original_url: 'https://example.com/' })
  const visit = async () =>
    (await fetch(`${other.url}/${body.data.shortCode}`, { redirect: 'manual' })).status
  expect(await visit()).toBe(302)

  expect((await one.api('POST', `${account}/suspend`, { links_closed: true })).status).toBe(200)
  expect((await grace(other, 'GET', '/profile')).status).toBe(401)
  expect((await browser(other, 'POST', '/session', sent)).body.code).toBe('account_suspended')
  await expect.poll(visit).toBe(403)
  expect((await one.api('POST', `${account}/release`, {})).status).toBe(200)
  await expect.poll(visit).toBe(302)
})

it('links that one server hands over have another owner at the other one, with their counts', async () => {
  const [one, other] = [await serve({ env: { DATABASE_URL: url } }), await another()]
  const people = await Promise.all(
    ['from@example.org', 'to@example.org'].map(async email => {
      const password = 'analytical engine'
      const { body } = await one.api('POST', '/admin/accounts', { email, password })
      const signedIn = await asBrowser()(one, 'POST', '/session', { email, password })
      return { id: body.data.id, browser: asBrowser(cookieIn(signedIn)) }
    }),
  )
  const [from, to] = people as [(typeof people)[0], (typeof people)[0]]
  const tag = await from.browser(one, 'POST', '/tags', { name: 'News' })
  const link = { original_url: 'https://example.com/', tag_ids: [tag.body.data.id] }
  const { shortCode, id } = (await from.browser(one, 'POST', '/links', link)).body.data
  const visit = (server: Server) =>
    fetch(`${server.url}/${shortCode}`, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    })
  await visit(other)
  await visit(one)
  await from.browser(one, 'GET', '/analytics?interval=7d')
  await visit(other)
  const gone = await one.api('DELETE', `/admin/accounts/${from.id}?hand_over_to=${to.id}`)
  expect(gone.status).toBe(204)
  await visit(other)
  const shown = (await to.browser(other, 'GET', `/links/${id}`)).body.data
  expect(shown).toMatchObject({ shortCode, tags: [{ id: tag.body.data.id }] })
  const visits = async () =>
    (await to.browser(other, 'GET', '/analytics?interval=7d')).body.data.totals.visits
  await expect.poll(visits, { timeout: 10_000 }).toBe(4)
})
