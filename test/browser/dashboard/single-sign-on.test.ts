import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { admin, serve } from '../../e2e/server.ts'
import { startProvider } from '../../plugins/organization/single-sign-on/real-provider.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDoor } from './dashboard.ts'

const path = 'organization.singleSignOn'

describe.skipIf(!hasChromium)('single sign-on at a real provider', () => {
  itAtNight(
    'signs in and makes an account, and is all that is left without passwords',
    async () => {
      const server = await serve({
        env: { LINNET_OIDC_SECRET: 'the secret', LINNET_FETCH_ALLOW: '127.0.0.1' },
      })
      const returnUrl = `${server.url}/api/v1/session/from/${path}/oidc`
      const real = await startProvider({ returnUrl })
      const settings = { issuer: real.issuer, clientId: 'linnet', createsAccounts: true }
      const set = async (more: object) => {
        const change = { enabled: true, settings: { ...settings, ...more } }
        const answer = await server.api('PATCH', `/admin/plugins/${path}`, change)
        expect(answer.status).toBe(200)
      }
      await set({})
      const viewport = { width: 360, height: 740 }
      const { page, open, complaints } = await openDoor({ server, viewport })
      const button = page.getByRole('link', { name: 'Sign in with Single sign-on' })
      await open('/settings')
      await page.getByLabel('E-mail address').waitFor()
      await button.click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await page.getByRole('heading', { name: 'Password' }).waitFor()

      await set({ passwords: 'nobody' })
      await page.reload()
      await page.getByRole('heading', { name: 'Sessions' }).waitFor()
      expect(await page.getByRole('heading', { name: 'Password' }).count()).toBe(0)
      await page.context().clearCookies()
      await open('/sign-in')
      await button.waitFor()
      expect(await page.getByLabel('E-mail address').count()).toBe(0)
      await expectAccessible(page)

      await set({ passwords: 'admins' })
      await open('/sign-in')
      await page.getByText('Only admins sign in by password').waitFor()
      await expectToFit(page)
      await expectAccessible(page)
      await page.getByLabel('E-mail address').fill(admin.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()

      await page.context().clearCookies()
      real.people.bob = { email: 'new@example.org' }
      real.who = 'eve'
      await open('/sign-in')
      await button.click()
      await page.getByRole('alert').getByText('There is no account for you here.').waitFor()
      await real.close()
      // What it said of itself is forgotten with the settings.
      await set({ scopes: 'openid email' })
      await open('/sign-in')
      await button.click()
      const why = 'Signing in there did not work. Try again later.'
      await page.getByRole('alert').getByText(why).waitFor()
      // The browser goes there as a page, and for nothing else.
      const rest = complaints.filter(it => !it.startsWith(`It asks ${real.issuer}/`))
      complaints.splice(0, complaints.length, ...rest)
    },
  )
})
