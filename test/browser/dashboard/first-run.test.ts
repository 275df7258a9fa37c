import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard, openDoor } from './dashboard.ts'

const run = promisify(execFile)

describe.skipIf(!hasChromium)('a new user', () => {
  it('comes from the code in the log to a link, its visits, a token, and out again', async () => {
    const server = await serve({ admin: false })
    const { page } = await openDoor({ server })
    const { message, setupCode } = await server.logged(/setup code/)
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'Welcome to Linnet' }).waitFor()
    expect(await page.getByLabel('Setup code').inputValue()).toBe('')
    const [address = ''] = /http:\S+$/.exec(message) ?? []
    await page.goto(address)
    await page.getByRole('heading', { name: 'Welcome to Linnet' }).waitFor()
    expect(await page.getByLabel('Setup code').inputValue()).toBe(setupCode)

    await page.getByLabel('Setup code').fill('a guess')
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('The code is wrong.').waitFor()
    await page.getByLabel('Setup code').fill(String(setupCode))
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    await page.getByLabel('Original URL').fill('not an address')
    await page.keyboard.press('Enter')
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Original URL').fill('example.com/welcome')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your new link' }).waitFor()
    const shortUrl = await page.locator('main a[target]').getAttribute('href')
    const visit = await server.get(new URL(String(shortUrl)).pathname)
    expect(visit.headers.get('location')).toBe('https://example.com/welcome')

    await page.getByRole('link', { name: 'Analytics' }).first().click()
    await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor()
    const browsers = page.getByRole('region', { name: 'Browser', exact: true })
    await browsers.getByText('Firefox').waitFor()
    await page.getByRole('slider', { name: 'Visits over time' }).waitFor()

    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('My script')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('You cannot see it again.').waitFor()
    const command = await page.getByRole('dialog').locator('pre').nth(1).innerText()
    const { stdout } = await run('sh', ['-c', `${command} --silent`])
    expect(JSON.parse(stdout).data).toMatchObject([{ shortUrl, visits: { total: 1 } }])
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  itAtNight('is not asked to set up what is set up', async () => {
    const { page, server } = await openDoor()
    await page.goto(`${server.url}/dashboard/set-up`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})

describe.skipIf(!hasChromium)('signing in', () => {
  itAtNight('leads to where one wanted to go, and says what is wrong', async () => {
    const { page, open } = await openDoor()
    await open('/links?q=berlin')
    await page.getByText('Forgot your password?').waitFor()
    expect(await page.getByText('session').count()).toBe(0)
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('a wrong one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('berlin')
  })

  itAtNight('never leads to another site', async () => {
    const { page, server, open } = await openDoor()
    await open(`/sign-in?next=${encodeURIComponent('//elsewhere.invalid/')}`)
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(new URL(page.url()).origin).toBe(server.url)
  })

  itAtNight('out again leaves nothing behind', async () => {
    const { page, open } = await openDashboard()
    await open('/links')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})
