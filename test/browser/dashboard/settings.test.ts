import { describe, expect, it } from 'vitest'
import { admin, createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { expectOnlyWords, hostile } from './hostile.ts'

const other = { email: 'grace@example.org', password: 'battery staple' }

describe.skipIf(!hasChromium)('the settings', () => {
  it('change the name, and the shell shows it', async () => {
    const { page, server, open } = await openDashboard()
    await open('/settings')
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: /Ada Lovelace/ }).waitFor()
    expect((await server.api('GET', '/profile')).body.data.fullName).toBe('Ada Lovelace')
    const fullName = hostile[0]
    await server.api('PATCH', '/profile', { fullName })
    await page.getByLabel('Name').fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This was changed elsewhere in the meantime.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe(fullName)
    await page.reload()
    await expectOnlyWords(page, [fullName])
  })

  it('show what is used of the plan', async () => {
    const { page, server, open } = await openDashboard()
    await createLink(server, { short_code: 'one' })
    await createLink(server)
    await server.api('POST', '/tags', { name: 'Print' })
    await server.get('/one')
    await expect
      .poll(async () => (await server.api('GET', '/profile')).body.data.plan.usage)
      .toMatchObject({ visitsTrackedThisMonth: 1 })
    await open('/settings')
    const plan = page.getByRole('region', { name: 'Plan', exact: true })
    await plan.getByText('2 · unlimited').waitFor()
    expect(await plan.getByRole('progressbar').count()).toBe(0)

    await server.api('PATCH', '/admin/plans/unlimited', {
      limits: { maxLinksCreatedPerMonth: 8, maxTrackedVisitsPerMonth: 1_000 },
      organization: { maxTags: 1, maxCampaigns: 0 },
      link: { passwordProtection: false },
    })
    await page.reload()
    await plan.getByText('2 of 8').waitFor()
    await plan.getByText('1 of 1,000').waitFor()
    await plan.getByText('1 of 1', { exact: true }).waitFor()
    await plan.getByText('You have reached the limit of your plan: Tags.').waitFor()
    const bars = await plan.getByRole('progressbar').all()
    const shares = await Promise.all(bars.map(bar => bar.getAttribute('aria-valuenow')))
    expect(shares).toEqual(['25', '0.1', '100', '100'])
    await plan.getByText('What the plan includes').click()
    const password = plan.getByRole('listitem').filter({ hasText: 'password before redirecting' })
    expect(await password.innerText()).toContain('Not included')
  })

  it('change the password, which ends the other sessions', async () => {
    const { page, server, open } = await openDashboard()
    const signIn = (password: string) =>
      server.api('POST', '/session', { ...admin, password }, { origin: server.url })
    const [cookie = ''] = (await signIn(admin.password)).headers.getSetCookie()
    const elsewhere = async () => {
      const headers = { cookie: cookie.replace(/;.*/, ''), authorization: '' }
      return (await server.api('GET', '/session', undefined, headers)).body.data.isSignedIn
    }
    expect(await elsewhere()).toBe(true)
    await open('/settings')
    await page.getByLabel('Current password').fill('a wrong one')
    await page.getByLabel('New password').fill('a new one to remember')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    await page.getByLabel('Current password').fill(admin.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    expect(await elsewhere()).toBe(false)
    expect((await signIn(admin.password)).status).toBe(401)
    expect((await signIn('a new one to remember')).status).toBe(201)
    await page.reload()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  })

  it('list the sessions and end them', async () => {
    const { page, server, open } = await openDashboard()
    const origin = { origin: server.url }
    for (let times = 0; times < 3; times++) await server.api('POST', '/session', admin, origin)
    await open('/settings')
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await sessions.getByText('This browser', { exact: true }).waitFor()
    expect(await sessions.getByRole('listitem').count()).toBe(4)
    await sessions
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click()
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(3)
    await sessions.getByRole('button', { name: 'End all other sessions' }).click()
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
    expect((await page.request.get(`${server.url}/api/v1/profile`)).status()).toBe(200)
  })

  it('delete the account, but not that of the last admin', async () => {
    const { page, server, open } = await openDashboard()
    await open('/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const submit = page.getByRole('button', { name: 'Delete permanently' })
    await page.getByLabel(`Type ${admin.email} to confirm`).fill('ada@example')
    expect(await submit.isDisabled()).toBe(true)
    await page.getByLabel(`Type ${admin.email} to confirm`).fill(admin.email)
    const password = page.getByRole('dialog').getByLabel('Current password')
    await password.fill('a wrong one')
    await submit.click()
    await page.getByText('This is not your current password.').waitFor()
    await password.fill(admin.password)
    await submit.click()
    await page.getByRole('alert').getByText('You are the only admin').waitFor()

    await server.api('POST', '/admin/accounts', { ...other, is_admin: true })
    await submit.click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const signIn = await server.api('POST', '/session', admin, { origin: server.url })
    expect(signIn.status).toBe(401)
  })

  it('turn single keys off', async () => {
    const { page, open } = await openDashboard()
    await open('/settings')
    await page.getByRole('switch', { name: 'Keyboard shortcuts' }).uncheck({ force: true })
    await page.getByRole('heading', { name: 'Settings' }).click()
    await page.keyboard.press('c')
    await page.reload()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.getByRole('switch', { name: 'Keyboard shortcuts' }).check({ force: true })
    await page.getByRole('heading', { name: 'Settings' }).click()
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New link' }).waitFor()
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('settings in %s', colorScheme => {
  it('are open to everybody, on a phone too', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ colorScheme, viewport })
    await server.api('PATCH', '/admin/plans/unlimited', { organization: { maxTags: 0 } })
    await open('/settings')
    await page.getByText('This browser', { exact: true }).waitFor()
    await page.getByText('What the plan includes').click()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByLabel(/to confirm/).waitFor()
    await expectAccessible(page)
  })
})
