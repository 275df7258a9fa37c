import { describe, expect, it } from 'vitest'
import { hasChromium } from '../chromium.ts'
import {
  confirmPassword,
  expectAccessible,
  expectToFit,
  openDashboard,
  openDoor,
} from './dashboard.ts'
import { serveSigningIn } from './signing-in.ts'

const grace = { email: 'grace@example.org', fullName: 'Grace Hopper' }
const password = 'a good password'

describe.skipIf(!hasChromium)('an invitation', () => {
  it('is made with an account, used by its owner, and works once', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/accounts')
    await page.getByRole('button', { name: 'New account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill(grace.email)
    await dialog.getByLabel('Name', { exact: true }).fill(grace.fullName)
    await page.keyboard.press('Enter')
    const invite = page.getByRole('dialog', { name: `Invite ${grace.email}` })
    const url = await invite.locator('pre').innerText()
    expect(url).toMatch(/\/dashboard\/one-time-link#[\w-]{43}$/)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await invite.getByRole('button', { name: 'Copy link' }).waitFor()
    await invite.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('listitem').filter({ hasText: grace.fullName })
    await row.getByText(/^Invited until /).waitFor()

    const hers = await openDoor({ server })
    await hers.page.goto(url)
    await hers.page.getByRole('heading', { name: 'Welcome, Grace Hopper' }).waitFor()
    expect(await hers.page.getByLabel('E-mail address').inputValue()).toBe(grace.email)
    await hers.page.keyboard.type(grace.email)
    await hers.page.keyboard.press('Enter')
    await hers.page
      .getByText('Choose a password that is not made of the e-mail address, the name or Linnet.')
      .waitFor()
    await hers.page.getByRole('textbox', { name: 'New password' }).fill(password)
    await hers.page.keyboard.press('Enter')
    await hers.page.getByRole('heading', { name: 'Create your first link' }).waitFor()

    const late = await openDoor({ server })
    await late.page.goto(url)
    await late.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await late.page.getByRole('link', { name: 'Sign in' }).click()
    await late.page.getByLabel('E-mail address').fill(grace.email)
    await late.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await late.page.keyboard.press('Enter')
    await late.page.getByRole('heading', { name: 'Create your first link' }).waitFor()
  })

  it('is accepted by another server, without a password', async () => {
    const server = await serveSigningIn()
    const body = { email: 'g.hopper@example.org', fullName: 'Grace Hopper', invite: true }
    const { data } = (await server.api('POST', '/admin/accounts', body)).body
    const hers = await openDoor({ server, viewport: { width: 360, height: 740 } })
    const { page } = hers
    await page.goto(`${server.url}/dashboard/one-time-link#${data.oneTimeLinkSecret}`)
    const button = page.getByRole('button', { name: 'Sign in with Guests' })
    await button.waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in with Nobody' }).click()
    await page.getByRole('alert').getByText('Come <b>back</b>.').waitFor()
    await button.click()
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    await hers.open('/settings')
    await page.getByText('You have no password yet.').waitFor()
    expect(await page.getByLabel('E-mail address').first().inputValue()).toBe(body.email)
  })

  it('is revoked, and made again', async () => {
    const { page, server, open } = await openDashboard()
    const { id } = (await server.api('POST', '/admin/accounts', grace)).body.data
    const first = (await server.api('POST', `/admin/accounts/${id}/one-time-link`)).body.data
    await open('/admin/accounts')
    const row = page.getByRole('listitem').filter({ hasText: grace.fullName })
    const choose = async () => {
      await row.getByRole('button', { name: `Actions for ${grace.email}` }).click()
      await page.getByRole('menuitem', { name: 'Invitation link' }).click()
    }
    await choose()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^There is an unused link, valid until /).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Revoke link' }).click()
    await row.getByText('No password yet').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const opened = await server.api('POST', '/one-time-link/open', { secret: first.secret })
    expect(opened.status).toBe(403)

    await choose()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await confirmPassword(page)
    await dialog.locator('pre').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await row.getByText(/^Invited until /).waitFor()
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('its page, in %s', colorScheme => {
  it('is open to everybody and fits a phone, whether it works or not', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server } = await openDoor({ colorScheme, viewport })
    const email = `${'a'.repeat(64)}@${'long.'.repeat(30)}example.org`
    const { id } = (await server.api('POST', '/admin/accounts', { email, password })).body.data
    const made = (await server.api('POST', `/admin/accounts/${id}/one-time-link`)).body.data
    await page.goto(`${server.url}/dashboard/one-time-link#${made.secret}`)
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.goto(`${server.url}/dashboard/one-time-link#another`)
    await page.reload()
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
  })
})
