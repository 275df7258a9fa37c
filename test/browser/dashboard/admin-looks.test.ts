import { describe, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const paths = [
  '/admin/accounts',
  '/admin/plans',
  '/admin/plans/pro',
  '/admin/features',
  '/admin/brand',
  '/admin/plugins',
  '/admin/plugins/packages',
  '/admin/plugins/link/urlScanning',
  '/admin/jobs',
  '/admin/backups',
  '/admin/blocked-links',
  '/admin/health',
]

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('in %s', colorScheme => {
  it('every page for admins is open to everybody, and fits a phone', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ colorScheme, viewport })
    await createLink(server, { password: 'sesame' })
    await server.api('POST', '/admin/accounts', {
      email: `${'a'.repeat(64)}@${'long.'.repeat(30)}example.org`,
      password: 'a good password',
    })
    await server.api('POST', '/admin/backups')
    await server.api('POST', '/admin/jobs/sessions.forgetDead/run')
    await server.api('PATCH', '/admin/plugins/link.linkPreview', { enabled: false })
    const price = { amount: 9.5, currency: 'EUR' }
    const recommended_pricing = { monthly: price, yearly: price }
    await server.api('PATCH', '/admin/plans/pro', { recommended_pricing })
    for (const path of paths) {
      await open(path)
      await page.waitForLoadState('networkidle')
      await expectToFit(page)
      await expectAccessible(page)
    }
  })

  it('so is what opens from them', async () => {
    const { page, open } = await openDashboard({ colorScheme })
    await open('/admin/accounts')
    await page.getByRole('button', { name: 'New account' }).click()
    await page.getByRole('dialog').getByLabel('E-mail address').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for ada@example.org' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('textbox').waitFor()
    await expectAccessible(page)
    await open('/admin/plans/pro')
    await page.getByRole('textbox', { name: 'Tags' }).fill('7')
    await page.getByText('Unsaved changes').waitFor()
    await expectAccessible(page)
  })
})

describe.skipIf(!hasChromium)('the keyboard alone', () => {
  it('goes from page to page and flips a switch', async () => {
    const { page, open } = await openDashboard()
    await open('/admin/accounts')
    await page.getByRole('link', { name: 'Switches' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Switches', level: 1 }).waitFor()
    await page.getByRole('switch', { name: 'New tags' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('New tags: off for everyone.').waitFor()
  })
})
