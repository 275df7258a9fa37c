import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { admin, createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { type Dashboard, openDashboard, pressFor } from './dashboard.ts'
import { dialogOf, endSession, lookAgain, signInAgain } from './ended-session.ts'

const grace = { email: 'grace@example.org', password: 'battery staple' }

/** A form for a new link, filled in and sent after the session ended. */
async function sendTooLate(): Promise<Dashboard> {
  const dashboard = await openDashboard()
  const { page, open } = dashboard
  // Not the list of links: while it is empty, its form takes the key.
  await open('/tags')
  const title = page.getByLabel('Title', { exact: true })
  await pressFor('c', title)
  await title.fill('Tickets for Berlin')
  await page.getByLabel('Original URL').fill('https://example.com/')
  await endSession(page)
  await page.getByRole('button', { name: 'Create link' }).click()
  await dialogOf(page).waitFor()
  return dashboard
}

const linksOf = async ({ server }: Dashboard) => (await server.api('GET', '/links')).body.data

describe.skipIf(!hasChromium)('a session that ends while somebody types', () => {
  itAtNight('is begun again on the page, and what was sent is done', async () => {
    const { page, server, open } = await openDashboard()
    const { id } = await createLink(server)
    await open(`/links/${id}`)
    await page.getByLabel('Notes').fill('On the poster')
    await endSession(page)
    await page.getByRole('button', { name: 'Save changes' }).click()

    const dialog = dialogOf(page)
    await dialog.getByText('Your session has ended.').waitFor()
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe(admin.email)
    await signInAgain(page, 'a wrong one')
    await dialog.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await signInAgain(page)
    await page.getByText('Saved.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect((await server.api('GET', `/links/${id}`)).body.data.notes).toBe('On the poster')
    expect(await page.getByLabel('Notes').inputValue()).toBe('On the poster')
  })

  itAtNight(
    'because another account signed in elsewhere in the browser is begun again as before',
    async () => {
      const dashboard = await openDashboard()
      const { page, server, open } = dashboard
      await server.api('POST', '/admin/accounts', grace)
      await open('/links/new')
      await page.getByLabel('Title', { exact: true }).fill('Tickets for Berlin')
      await page.getByLabel('Original URL').fill('https://example.com/')
      await page.waitForLoadState('networkidle')
      const signedIn = await page.request.post(`${server.url}/api/v1/session`, {
        data: grace,
        headers: { origin: server.url },
      })
      expect(signedIn.status()).toBe(201)
      await page.getByRole('button', { name: 'Create link' }).click()
      await dialogOf(page).waitFor()
      await signInAgain(page)
      await dialogOf(page).waitFor({ state: 'detached' })
      await expect.poll(() => linksOf(dashboard)).toMatchObject([{ title: 'Tickets for Berlin' }])
    },
  )

  itAtNight('is begun again once, for whatever is read', async () => {
    const { page, server, open } = await openDashboard()
    await createLink(server, { title: 'Tickets for Berlin' })
    await open('/links')
    await endSession(page)
    await page.getByRole('searchbox').fill('berlin')
    await dialogOf(page).waitFor()
    await lookAgain(page)
    expect(await dialogOf(page).count()).toBe(1)
    await signInAgain(page)
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByText('Tickets for Berlin').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('berlin')
    await page.getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
    await expect.poll(() => dialogOf(page).count()).toBe(0)
  })

  itAtNight('is left by signing out, and the next to sign in sends nothing of it', async () => {
    const dashboard = await sendTooLate()
    const { page, server } = dashboard
    await server.api('POST', '/admin/accounts', grace)
    page.on('dialog', dialog => dialog.accept())
    await dialogOf(page).getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    const sent: string[] = []
    page.on('request', request =>
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`),
    )
    await page.getByLabel('E-mail address').fill(grace.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(grace.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    expect(sent.filter(it => it.startsWith('POST'))).toEqual(['POST /api/v1/session'])
    expect(await linksOf(dashboard)).toEqual([])
  })

  itAtNight('sends nothing of a page that was left meanwhile', async () => {
    const dashboard = await sendTooLate()
    const { page } = dashboard
    await page.evaluate('history.back()')
    await page.getByRole('button', { name: 'Leave' }).click()
    await signInAgain(page)
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
    expect(await linksOf(dashboard)).toEqual([])
  })
})

describe.skipIf(!hasChromium)('somebody else who signs in, in another tab', () => {
  itAtNight('finds nothing of what was typed and read', async () => {
    const { page, server, open } = await openDashboard()
    await server.api('POST', '/admin/accounts', grace)
    await open('/links/new')
    await page.getByLabel('Title', { exact: true }).fill('Tickets for Berlin')
    const headers = { origin: server.url }
    await page.request.post(`${server.url}/api/v1/session`, { data: grace, headers })
    await lookAgain(page)
    await page.getByRole('button', { name: 'Your account' }).getByText(grace.email).waitFor()
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('')
  })
})
