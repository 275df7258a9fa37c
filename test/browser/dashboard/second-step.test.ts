import decode from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { codeOf } from '../../authenticator-app.ts'
import { admin, serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import {
  confirmPassword,
  type Dashboard,
  expectAccessible,
  expectToFit,
  openDashboard,
  openDoor,
} from './dashboard.ts'
import { dialogOf, endSession, lookAgain, signInAgain } from './ended-session.ts'
import {
  addAuthenticator,
  ageSessions,
  call,
  enterPassword,
  hostsOfPasskeys,
  serveSigningIn,
  turnOn,
} from './signing-in.ts'

const question = 'Enter the code that your authenticator app shows, or a recovery code.'

/** Switches the second factor on in the panel of its plugin, and returns one of the recovery codes that it shows once. */
async function switchOn({ page, open }: Dashboard): Promise<string> {
  await open('/settings')
  const panel = page.getByRole('region', { name: 'Second factor' })
  await panel.getByText('Off', { exact: true }).waitFor()
  expect(await panel.getByRole('button').allTextContents()).toEqual([
    'Set up an app',
    'Add a passkey',
  ])
  await panel.getByRole('button', { name: 'Set up an app' }).click()
  const secrets = page.getByRole('dialog', { name: 'Set up an app' })
  await secrets.getByText('This is shown only now.').waitFor()
  const { data, width, height } = PNG.sync.read(await secrets.locator('img').screenshot())
  const scanned = decode(new Uint8ClampedArray(data), width, height)?.data
  await secrets.getByRole('button', { name: 'Copy: Secret' }).waitFor()
  await expectAccessible(page)
  const secret = (await secrets.locator('pre').first().textContent()) ?? ''
  expect(scanned).toContain(`?secret=${secret}&`)
  // A click beside it does not lose it.
  await page.mouse.click(5, 5)
  await secrets.getByRole('button', { name: 'Done' }).click()
  await secrets.waitFor({ state: 'detached' })
  expect(await page.getByText(secret).count()).toBe(0)
  await panel.getByRole('textbox', { name: 'Code that the app shows' }).fill(codeOf(secret))
  await panel.getByRole('button', { name: 'Switch on' }).click()
  const codes = page.getByRole('dialog', { name: 'Switch on' })
  const [code = ''] = ((await codes.locator('pre').textContent()) ?? '').split('\n')
  await page.keyboard.press('Escape')
  await codes.waitFor({ state: 'detached' })
  expect(await page.getByText(code).count()).toBe(0)
  await panel.getByText('On', { exact: true }).waitFor()
  expect(await panel.getByRole('button').allTextContents()).toEqual([
    'Add a passkey',
    'New recovery codes',
    'Switch off',
  ])
  expect(await panel.getByRole('textbox').count()).toBe(0)
  return code
}

describe.skipIf(!hasChromium)('the second step of signing in', () => {
  itAtNight('is asked after the password until it is right, and sessions say so', async () => {
    const server = await serveSigningIn()
    const code = await switchOn(await openDashboard({ server }))
    const viewport = { width: 360, height: 740 }
    const { page, open } = await openDoor({ server, viewport, isMobile: true, hasTouch: true })
    await open('/settings')
    await enterPassword(page)
    await page.getByRole('heading', { level: 1, name: 'Authenticator app' }).waitFor()
    const input = page.getByLabel(question)
    await page.locator('input[autocomplete="one-time-code"]:focus').waitFor()
    expect(await input.getAttribute('inputmode')).toBe('numeric')
    await page.getByRole('button', { name: 'Show letters on the keyboard' }).click()
    expect(await input.getAttribute('inputmode')).toBe('text')
    await expectToFit(page)
    await expectAccessible(page)
    await input.fill('123')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('This is not the code that the app shows now.').waitFor()
    await expectAccessible(page)
    await input.fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.getByText('by password and one-time code').waitFor()
  })

  itAtNight('can be left for another start, and begins anew when its time is over', async () => {
    const server = await serveSigningIn()
    const { page: before } = await openDashboard({ server })
    const codes = await turnOn(before, server)
    const { page, open } = await openDoor({ server })
    await open('/sign-in')
    await enterPassword(page)
    await page.getByLabel(question).fill(`${codes[0]}`)
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await enterPassword(page)
    await page.getByLabel(question).fill(`${codes[0]}`)
    await page.route('**/api/v1/session/step', route =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          ...{ status: 422, code: 'invalid_ticket', detail: 'This ticket was used.' },
          errors: [{ field: 'ticket', code: 'invalid_ticket', message: 'This ticket was used.' }],
        }),
      }),
    )
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This ticket was used.').waitFor()
    await page.getByLabel('E-mail address').waitFor()
  })

  itAtNight('may be several, one after the other, and one may be a button alone', async () => {
    const server = await serveSigningIn()
    const { page: before } = await openDashboard({ server })
    const [code = ''] = await turnOn(before, server)
    await call(before, server, 'POST', '/nods')
    const { page, open } = await openDoor({ server })
    await open('/tags')
    await enterPassword(page)
    for (let steps = 0; steps < 2; steps += 1) {
      const field = page.getByLabel(question)
      const nod = page.getByText('Nod twice.')
      await field.or(nod).waitFor()
      const heading = await page.getByRole('heading', { level: 1 }).textContent()
      if (await field.isVisible()) await field.fill(code)
      else await expectAccessible(page)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: `${heading}` }).waitFor({ state: 'hidden' })
    }
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
  })

  itAtNight(
    'may be one that people choose, when they sign in and where it is proven again',
    async () => {
      const server = await serveSigningIn()
      await server.api('POST', '/admin/accounts', {
        email: 'grace@example.org',
        password: 'a good password',
      })
      const { page: before } = await openDashboard({ server })
      await turnOn(before, server)
      await call(before, server, 'POST', '/calls')
      const { page, open } = await openDoor({ server })
      await open('/admin/accounts')
      await enterPassword(page)
      const calling = page.getByLabel('What did the voice say?')
      const app = page.getByLabel(question)
      await calling.waitFor()
      await page.getByRole('button', { name: 'Use instead: Authenticator app' }).click()
      await app.waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Use instead: A call' }).click()
      await page.locator('input:focus').waitFor()
      await calling.fill('tulip')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()

      await ageSessions(server)
      await page.getByRole('button', { name: 'Actions for grace@example.org' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      const form = page.getByRole('dialog', { name: 'Delete grace@example.org' })
      await form.getByRole('textbox').fill('grace@example.org')
      await page.keyboard.press('Enter')
      const password = page.getByRole('dialog', { name: 'Enter your password' })
      await password.getByLabel('Current password').fill(admin.password)
      await page.keyboard.press('Enter')
      await calling.waitFor()
      await page.getByRole('button', { name: 'Use instead: Authenticator app' }).click()
      await app.waitFor()
      await page.getByRole('button', { name: 'Use instead: A call' }).click()
      await calling.fill('tulip')
      await page.keyboard.press('Enter')
      await form.waitFor({ state: 'detached' })
    },
  )

  itAtNight('is asked in the language of the dashboard', async () => {
    const server = await serveSigningIn()
    const { page: before } = await openDashboard({ server })
    await turnOn(before, server)
    const { page, open } = await openDoor({ server, locale: 'fr' })
    await open('/sign-in')
    await page.getByLabel('Adresse e-mail').fill(admin.email)
    await page.getByRole('textbox', { name: 'Mot de passe' }).fill(admin.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Saisissez le code de votre application').fill('123')
    await page.getByRole('button', { name: 'Recommencer' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Ce n’est pas le code que l’application affiche maintenant.').waitFor()
  })

  itAtNight('is asked where a session ended, above the page', async () => {
    const server = await serveSigningIn()
    const { page, open } = await openDashboard({ server })
    const [code = ''] = await turnOn(page, server)
    await open('/links')
    await endSession(page)
    await lookAgain(page)
    await dialogOf(page).waitFor()
    await signInAgain(page)
    await dialogOf(page).getByLabel(question).fill(code)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await dialogOf(page).waitFor({ state: 'detached' })
  })
})

describe.skipIf(!hasChromium)('a step that needs more than a session', () => {
  itAtNight('asks for the password and the second step, and is done then', async () => {
    const server = await serveSigningIn()
    const { page, open } = await openDashboard({ server })
    await server.api('POST', '/admin/accounts', {
      email: 'grace@example.org',
      password: 'a good password',
    })
    // Sessions from before are not fresh.
    const [, code = ''] = await turnOn(page, server)
    await open('/admin/accounts')
    await page.getByRole('button', { name: 'Actions for grace@example.org' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const form = page.getByRole('dialog', { name: 'Delete grace@example.org' })
    await form.getByRole('textbox').fill('grace@example.org')
    await page.keyboard.press('Enter')
    const password = page.getByRole('dialog', { name: 'Enter your password' })
    await password.getByLabel('Current password').fill(admin.password)
    await page.keyboard.press('Enter')
    const step = page.getByRole('dialog', { name: 'Authenticator app' })
    await step.locator('input:focus').waitFor()
    await expectAccessible(page)
    await step.getByLabel(question).fill('123')
    await page.keyboard.press('Enter')
    await step.getByText('This is not the code that the app shows now.').waitFor()
    await step.getByLabel(question).fill(code)
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })
    expect((await server.api('GET', '/admin/accounts')).body.meta.total).toBe(1)
  })

  itAtNight('is not done if nobody answers, and its form stays', async () => {
    const server = await serveSigningIn()
    const { page, open } = await openDashboard({ server })
    await server.api('POST', '/admin/accounts', {
      email: 'grace@example.org',
      password: 'a good password',
    })
    await turnOn(page, server)
    await open('/admin/accounts')
    await page.getByRole('button', { name: 'Actions for grace@example.org' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const form = page.getByRole('dialog', { name: 'Delete grace@example.org' })
    await form.getByRole('textbox').fill('grace@example.org')
    await page.keyboard.press('Enter')
    const password = page.getByRole('dialog', { name: 'Enter your password' })
    await password.getByLabel('Current password').fill(admin.password)
    await page.keyboard.press('Enter')
    const step = page.getByRole('dialog', { name: 'Authenticator app' })
    await step.getByLabel(question).waitFor()
    await page.keyboard.press('Escape')
    await step.waitFor({ state: 'detached' })
    expect(await form.getByRole('textbox').inputValue()).toBe('grace@example.org')
    expect((await server.api('GET', '/admin/accounts')).body.meta.total).toBe(2)
  })

  itAtNight('asks an account with a password alone for nothing else', async () => {
    const server = await serveSigningIn()
    const { page, open } = await openDashboard({ server })
    await ageSessions(server)
    await open('/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    const form = page.getByRole('dialog', { name: 'New token' })
    await form.getByLabel('Name').fill('laptop')
    await form.getByRole('checkbox', { name: 'Everything' }).check()
    await form.getByRole('button', { name: 'Create token' }).click()
    await confirmPassword(page)
  })

  itAtNight('is set up after the password by whoever must have one', async () => {
    const server = await serveSigningIn()
    const settings = { wantedOf: 'everybody' }
    await server.api('PATCH', '/admin/plugins/organization.secondFactor', { settings })
    const { page, open } = await openDoor({ server, viewport: { width: 360, height: 740 } })
    await open('/tags')
    await enterPassword(page)
    await page.getByText('This server wants a second factor of you.').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    const secret = (await page.locator('pre').textContent()) ?? ''
    await page.locator('input[autocomplete="one-time-code"]').fill(codeOf(secret))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
  })

  itAtNight('may be a passkey, which the browser makes and uses', async () => {
    // No passkey is made for an IP address.
    const here = await serve({ env: { LINNET_BASE_URL: 'http://localhost:0' } })
    const server = { ...here, url: here.url.replace('127.0.0.1', 'localhost') }
    const { page, open } = await openDashboard({ server })
    const device = await addAuthenticator(page)
    await open('/settings')
    const panel = page.getByRole('region', { name: 'Second factor' })
    await panel.getByRole('button', { name: 'Add a passkey' }).click()
    const codes = page.getByRole('dialog', { name: 'Add a passkey' })
    const [code = ''] = ((await codes.locator('pre').textContent()) ?? '').split('\n')
    await codes.getByRole('button', { name: 'Done' }).click()
    await panel.getByText('On', { exact: true }).waitFor()
    expect(await hostsOfPasskeys(server)).toEqual([{ host: 'localhost' }])
    await page.context().clearCookies()
    // Nobody chooses it beside the address, where the browser offers it, too.
    await device.agree(false)
    await open('/tags')
    await enterPassword(page)
    await page.getByText('Use your passkey to sign in.').waitFor()
    await expectAccessible(page)
    await device.agree(true)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()

    await open('/settings')
    const keys = page.getByRole('region', { name: 'Your passkeys' })
    await keys.getByText('Passkey 1').waitFor()

    // Another browser has no such passkey, and signs in by a recovery code.
    const other = await openDoor({ server })
    await other.open('/tags')
    await enterPassword(other.page)
    await other.page.getByRole('button', { name: 'Authenticator app' }).click()
    await other.page.getByLabel('Enter a recovery code.').fill(code)
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
  })
})
