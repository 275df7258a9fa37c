import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { hasChromium } from '../chromium.ts'
import {
  confirmPassword,
  expectAccessible,
  expectToFit,
  openDashboard,
  openDoor,
} from './dashboard.ts'
import { ageSessions, enterPassword, serveSigningIn, turnOn } from './signing-in.ts'

describe.skipIf(!hasChromium)('signing in at another server', () => {
  itAtNight('is offered beside the password, and leads to where one wanted to go', async () => {
    const server = await serveSigningIn()
    const viewport = { width: 360, height: 740 }
    const { page, open } = await openDoor({ server, viewport })
    await open('/settings')
    await page.getByRole('link', { name: 'Sign in with Guests' }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign in with Guests' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.getByText('by another server').waitFor()
    await page.getByText('You have no password yet.').waitFor()
  })

  itAtNight.each([
    ['Broken', 'Signing in there did not work. Try again later.'],
    ['Nobody', 'Signing in there did not work: closed today.'],
    ['Strangers', 'There is no account for you here.'],
  ])('as %s says why nobody was signed in, and the others stay', async (name, why) => {
    const server = await serveSigningIn()
    const { page, open } = await openDoor({ server })
    await open('/tags')
    await page.getByRole('link', { name: `Sign in with ${name}` }).click()
    await page.getByRole('alert').getByText(why).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign in with Staff' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
  })

  itAtNight(
    'is offered once it is set up, and keeps nobody out when it does not answer',
    async () => {
      const server = await serveSigningIn()
      const { page, open } = await openDoor({ server })
      await open('/sign-in')
      const button = page.getByRole('link', { name: 'Sign in with Single sign-on' })
      await page.getByRole('link', { name: 'Sign in with Staff' }).waitFor()
      expect(await button.count()).toBe(0)
      const settings = { issuer: 'https://127.0.0.1:9', clientId: 'linnet' }
      await server.api('PATCH', '/admin/plugins/custom.singleSignOn', { settings })
      await open('/sign-in')
      await button.click()
      const why = 'Signing in there did not work. Try again later.'
      await page.getByRole('alert').getByText(why).waitFor()
      await enterPassword(page)
      await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
    },
  )

  itAtNight(
    'is seen by admins in the list of accounts, who remove it with their password',
    async () => {
      const server = await serveSigningIn()
      const { page: guest, open: openGuest } = await openDoor({ server })
      await openGuest('/tags')
      for (const name of ['Guests', 'Others']) {
        await guest.context().clearCookies()
        await openGuest('/tags')
        await guest.getByRole('link', { name: `Sign in with ${name}` }).click()
        await guest.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
      }
      const { page, open } = await openDashboard({ server })
      await open('/admin/accounts')
      await page.getByRole('button', { name: 'Actions for grace@example.org' }).click()
      await page.getByRole('menuitem', { name: 'Other ways to sign in' }).click()
      const dialog = page.getByRole('dialog', { name: 'Ways to sign in for grace@example.org' })
      const remove = dialog.getByRole('button', {
        name: 'Remove https://company.example',
      })
      await remove.waitFor()
      await expectAccessible(page)
      await remove.click()
      await confirmPassword(page)
      await page.getByText('Removed. It signs the account in no longer.').waitFor()
      await remove.waitFor({ state: 'detached' })
      await dialog.getByRole('button', { name: 'Remove https://other.example' }).click()
      await confirmPassword(page)
      await dialog.getByText('Nothing else signs this account in.').waitFor()
      await page.setViewportSize({ width: 360, height: 800 })
      await expectToFit(page)
    },
  )

  itAtNight('asks for the second step of the account, too', async () => {
    const server = await serveSigningIn()
    const { page: before } = await openDashboard({ server })
    const [code = ''] = await turnOn(before, server)
    const { page, open } = await openDoor({ server })
    await open('/tags')
    await page.getByRole('link', { name: 'Sign in with Staff' }).click()
    await page.getByRole('heading', { level: 1, name: 'Authenticator app' }).waitFor()
    expect(new URL(page.url()).hash).toMatch(/^#ticket=/)
    await page.locator('input:focus').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
  })

  itAtNight(
    'is how an account without a password proves itself where a step needs it',
    async () => {
      const server = await serveSigningIn()
      const { page, open } = await openDoor({ server })
      await open('/settings')
      await page.getByRole('link', { name: 'Sign in with Guests' }).click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await ageSessions(server)
      const setPassword = async () => {
        await page.getByLabel('New password').fill('a good password')
        await page.getByRole('button', { name: 'Change password' }).click()
      }
      await setPassword()
      const dialog = page.getByRole('dialog', { name: 'Sign in once more' })
      await dialog.waitFor()
      await expectAccessible(page)
      await dialog.getByRole('link', { name: 'Sign in with Strangers' }).click()
      await page.getByRole('alert').getByText('There is no account for you here.').waitFor()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await setPassword()
      await dialog.getByRole('link', { name: 'Sign in with Guests' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await setPassword()
      await page.getByText('Password changed.').waitFor()
    },
  )
})
