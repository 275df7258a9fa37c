import { describe, expect, it } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { hasChromium } from '../chromium.ts'
import {
  confirmPassword,
  type Dashboard,
  expectAccessible,
  expectToFit,
  openDashboard,
  openDoor,
} from './dashboard.ts'

const grace = { email: 'grace@example.org', password: 'a good password' }

async function signIn({ page, server }: Dashboard, who: typeof grace): Promise<void> {
  const answer = await page.request.post(`${server.url}/api/v1/session`, {
    data: who,
    headers: { origin: server.url },
  })
  expect(answer.status()).toBe(201)
}

describe.skipIf(!hasChromium)('accounts', () => {
  it('are made, moved to another plan, and deleted once their address is typed', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/accounts')
    await page.getByRole('button', { name: 'New account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill('ada@example.org')
    await dialog.getByLabel(/^Password/).fill(grace.password)
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByText('Another account has this e-mail address.').waitFor()
    await dialog.getByLabel('E-mail address').fill(grace.email)
    await dialog.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).waitFor()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: `Actions for ${grace.email}` }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByRole('combobox', { name: 'Plan' }).click()
    await page.getByRole('option', { name: 'Pro', exact: true }).click()
    await dialog.getByRole('switch', { name: 'Admin' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await confirmPassword(page)
    const row = page.getByRole('listitem').filter({ hasText: grace.email })
    await row.getByText('Pro', { exact: true }).waitFor()
    await row.getByText('Admin', { exact: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await server.api('GET', '/admin/accounts')
    expect(body.data[1]).toMatchObject({ email: grace.email, plan: 'pro', isAdmin: true })

    await page.getByRole('button', { name: `Actions for ${grace.email}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const remove = dialog.getByRole('button', { name: 'Delete account' })
    await remove.waitFor()
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${grace.email} to confirm`).fill(grace.email)
    await remove.click()
    await confirmPassword(page)
    await row.waitFor({ state: 'detached' })
    expect((await server.api('GET', '/admin/accounts')).body.meta.total).toBe(1)
  })

  it('are found by name, and say what they use and when they were last active', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ viewport })
    await server.api('POST', '/admin/accounts', { ...grace, fullName: 'Grace Hopper' })
    await server.api('POST', '/links', { originalUrl: 'https://example.com/' })
    await open('/admin/accounts')
    const rows = page.getByRole('listitem').filter({ has: page.getByText('this month') })
    const ada = rows.filter({ hasText: 'ada@example.org' })
    await ada.getByText('1 link and 0 visits this month').waitFor()
    await ada.getByText(/^Last active /).waitFor()
    await rows.filter({ hasText: 'Grace Hopper' }).getByText('0 links and').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    const search = page.getByLabel('Search by name or e-mail address')
    await search.fill('hopper GRACE')
    await ada.waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(1)
    await search.fill('nobody')
    await page.getByText('No account matches.').waitFor()
  })

  itAtNight(
    'are suspended with their links and released, and hand their links over when they go',
    async () => {
      const { page, server, open } = await openDashboard()
      await server.api('POST', '/admin/accounts', grace)
      const post = (path: string, body: object, cookie = '') =>
        fetch(`${server.url}/api/v1${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: server.url, cookie },
          body: JSON.stringify(body),
        })
      const cookie = (await post('/session', grace)).headers.get('set-cookie')?.split(';')[0]
      const link = { original_url: 'https://example.com/', short_code: 'spring' }
      expect((await post('/links', link, cookie)).status).toBe(201)
      const status = async () => {
        const found = await fetch(`${server.url}/spring`, { redirect: 'manual' })
        return found.status
      }
      await open('/admin/accounts')
      const row = page.getByRole('listitem').filter({ hasText: grace.email })
      const dialog = page.getByRole('dialog')
      const choose = async (item: string) => {
        await page.getByRole('button', { name: `Actions for ${grace.email}` }).click()
        await page.getByRole('menuitem', { name: item }).click()
      }
      await row.getByText('1 link in all').waitFor()
      await row.getByText(/^Last signed in /).waitFor()
      await choose('Suspend')
      await dialog.getByRole('switch', { name: 'Close its links' }).check()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Suspend' }).click()
      await confirmPassword(page)
      await row.getByText('Suspended', { exact: true }).waitFor()
      expect(await status()).toBe(403)
      await choose('Suspension')
      await dialog.getByRole('button', { name: 'Release' }).click()
      await confirmPassword(page)
      await row.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' })
      expect(await status()).toBe(302)

      await choose('Hand over links')
      await dialog.getByRole('combobox', { name: 'To' }).fill('ada')
      await page.getByRole('option', { name: 'ada@example.org' }).click()
      await dialog.getByLabel('Only these links').fill('example.org/nothing')
      await dialog.getByRole('button', { name: 'Hand over links' }).click()
      await confirmPassword(page)
      await dialog.getByText('The account has no such link.').waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()

      await choose('Delete')
      await dialog.getByRole('combobox', { name: 'Hand over its links to' }).fill('ada')
      await page.getByRole('option', { name: 'ada@example.org' }).click()
      await dialog.getByLabel(`Type ${grace.email} to confirm`).fill(grace.email)
      await dialog.getByRole('button', { name: 'Delete account' }).click()
      await confirmPassword(page)
      await row.waitFor({ state: 'detached' })
      expect(await status()).toBe(302)
      expect((await server.api('GET', '/links')).body.data).toMatchObject([{ shortCode: 'spring' }])
    },
  )

  it('say why the last admin stays', async () => {
    const { page, open } = await openDashboard()
    await open('/admin/accounts')
    await page.getByRole('button', { name: 'Actions for ada@example.org' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type ada@example.org to confirm').fill('ada@example.org')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await confirmPassword(page)
    await dialog.getByText('This is the only admin.').waitFor()
  })
})

describe.skipIf(!hasChromium)('the pages for admins', () => {
  it('are not there for others, who are told so', async () => {
    const dashboard = await openDoor()
    const { page, server, open } = dashboard
    await server.api('POST', '/admin/accounts', grace)
    await signIn(dashboard, grace)
    await open('/links')
    await page.getByRole('navigation', { name: 'Main' }).getByText('Settings').waitFor()
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0)
    for (const path of ['/admin', '/admin/plugins', '/admin/plugins/link/urlScanning']) {
      await open(path)
      await page.getByRole('heading', { name: 'Only for admins' }).waitFor()
      expect(await page.getByRole('navigation', { name: 'Administration' }).count()).toBe(0)
    }
  })
})
