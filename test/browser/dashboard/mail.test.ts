import { describe, expect, it } from 'vitest'
import { readMail } from '../../plugins/organization/mail/read-mail.ts'
import { startMailServer } from '../../plugins/organization/mail/start-mail-server.ts'
import { hasChromium } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'
import {
  confirmPassword,
  expectAccessible,
  expectToFit,
  openDashboard,
  openDoor,
} from './dashboard.ts'

/** The dashboard of an instance that sends mail to a server on this machine. */
async function withMail() {
  const mail = await startMailServer()
  const server = await startLinnet({
    env: { LINNET_SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=off` },
  })
  const settings = { sender: 'links@example.org' }
  for (const [feature, change] of [
    ['organization.mail', { enabled: true, settings }],
    ['organization.signUp', { enabled: true }],
  ] as const) {
    const { status } = await server.api('PATCH', `/admin/plugins/${feature}`, change)
    expect(status).toBe(200)
  }
  return { server, mails: () => mail.taken.map(({ message }) => readMail(message)) }
}

describe.skipIf(!hasChromium)('mail', () => {
  it('is chosen by kind in the settings, where a test can be sent', async () => {
    const { server, mails } = await withMail()
    const { page, open } = await openDashboard({ server })
    await open('/settings')
    const panel = page.getByRole('region', { name: 'Notices' })
    await panel.getByLabel('Numbers of the week, on Monday').check({ force: true })
    await panel.getByLabel('Links end soon').uncheck({ force: true })
    await panel.getByLabel('Time zone').fill('Europe/Berlin')
    await panel.getByRole('button', { name: 'Save notices' }).click()
    const chosen = async () => (await server.api('GET', '/notice-settings')).body.data
    await expect
      .poll(chosen)
      .toMatchObject({ weekly: true, endingLinks: false, timeZone: 'Europe/Berlin', limits: true })
    await panel.getByRole('button', { name: 'Send a test' }).click()
    await expect.poll(mails).toMatchObject([{ subject: 'A test of Linnet' }])
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 700 })
    await expectToFit(page)
  })

  it('leads from the page where people sign in to an account of their own', async () => {
    const { server, mails } = await withMail()
    const { page, open } = await openDoor({ server })
    await open('/sign-in')
    await page.getByRole('link', { name: 'Make an account' }).click()
    await page.getByLabel('E-mail address').fill('eve@example.com')
    await expectAccessible(page)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
    await expect.poll(() => mails().length).toBe(1)
    await page.goto(mails()[0]?.text.match(/http\S+/)?.[0] ?? '')
    await page.getByLabel(/^Password/).fill('four random words here')
    await page.getByRole('button').click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address').fill('eve@example.com')
    await page.locator('input[type=password]').fill('four random words here')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Your account' }).waitFor()
  })

  it('takes an invitation to whom it is for', async () => {
    const { server, mails } = await withMail()
    const { page, open } = await openDashboard({ server })
    await open('/admin/accounts')
    await page.getByRole('button', { name: 'New account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill('grace@example.org')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Mail the link' }).click()
    await confirmPassword(page)
    await page.getByText('The link is on its way to grace@example.org.').waitFor()
    expect(mails()).toMatchObject([{ subject: 'You are invited' }])
    await expectAccessible(page)
  })
})
