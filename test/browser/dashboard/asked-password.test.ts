import { describe, expect, it } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { admin } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { confirmPassword, expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const grace = { email: 'grace@example.org', fullName: 'Grace Hopper', password: 'a good password' }

describe.skipIf(!hasChromium)('the password', () => {
  it('is asked for by a step that gives more than the session has, until it is right', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ viewport })
    await server.api('POST', '/admin/accounts', grace)
    await open('/admin/accounts')
    await page.getByRole('button', { name: `Actions for ${grace.email}` }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit account' })
    await form.getByRole('switch', { name: 'Admin' }).check()
    await form.getByRole('button', { name: 'Save' }).click()

    const asked = page.getByRole('dialog', { name: 'Enter your password' })
    const password = asked.getByLabel('Current password')
    await password.waitFor()
    await asked.locator('input[type=password]:focus').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await password.fill('a wrong one')
    await page.keyboard.press('Enter')
    await asked.getByText('This is not your current password.').waitFor()
    await expectAccessible(page)
    await password.fill(admin.password)
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await asked.waitFor({ state: 'detached' })
    const { body } = await server.api('GET', '/admin/accounts')
    expect(body.data[1]).toMatchObject({ email: grace.email, isAdmin: true })
  })

  itAtNight(
    'need not be typed: the step is not done then, and its form stays as it is',
    async () => {
      const { page, server, open } = await openDashboard()
      await server.api('POST', '/admin/accounts', grace)
      await open('/admin/accounts')
      await page.getByRole('button', { name: `Actions for ${grace.email}` }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      const form = page.getByRole('dialog', { name: `Delete ${grace.email}` })
      const typed = form.getByRole('textbox')
      await typed.fill(grace.email)
      await page.keyboard.press('Enter')
      const asked = page.getByRole('dialog', { name: 'Enter your password' })
      await asked.getByLabel('Current password').waitFor()
      await page.keyboard.press('Escape')
      await asked.waitFor({ state: 'detached' })
      expect(await typed.inputValue()).toBe(grace.email)
      expect(await page.getByRole('alert').count()).toBe(0)
      expect((await server.api('GET', '/admin/accounts')).body.meta.total).toBe(2)
      await form.getByRole('button', { name: 'Delete account' }).click()
      await confirmPassword(page)
      await form.waitFor({ state: 'detached' })
      expect((await server.api('GET', '/admin/accounts')).body.meta.total).toBe(1)
    },
  )

  itAtNight(
    'is not asked for by a change of a name, and not typed for the own account',
    async () => {
      const { page, server, open } = await openDashboard()
      await open('/admin/accounts')
      await page.getByRole('button', { name: `Actions for ${admin.email}` }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Password reset link' }).count()).toBe(0)
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: 'Edit account' })
      await form.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
      expect(await form.getByRole('switch').count()).toBe(0)
      expect(await form.getByLabel('New password').count()).toBe(0)
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      expect((await server.api('GET', '/profile')).body.data.fullName).toBe('Ada Lovelace')
    },
  )
})
