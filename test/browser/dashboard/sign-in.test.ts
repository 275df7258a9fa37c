import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard, openDoor } from './dashboard.ts'
import { dialogOf, endSession, lookAgain, signInAgain } from './ended-session.ts'

describe.skipIf(!hasChromium)('a session that ends while somebody types', () => {
  it('is begun again above a dialog, which stays', async () => {
    const { page, server, open } = await openDashboard()
    await open('/tags')
    await page.getByRole('button', { name: 'New tag' }).first().click()
    await page.getByLabel('Name').fill('Print')
    await endSession(page)
    await page.keyboard.press('Enter')
    await dialogOf(page).waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).getByText('Your session has ended.').click()
    await page.keyboard.press('Escape')
    await signInAgain(page)
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByRole('main').getByText('Print').waitFor()
    expect((await server.api('GET', '/tags')).body.data).toMatchObject([{ name: 'Print' }])
  })
})

describe.skipIf(!hasChromium)('in light and dark', () => {
  it.each([1440, 390])('signing in again is open to everybody at %i px', async width => {
    const viewport = { width, height: 800 }
    const { page, server, open } = await openDashboard({ viewport })
    await createLink(server, { title: 'Tickets for Berlin' })
    await open('/links')
    await endSession(page)
    await lookAgain(page)
    await dialogOf(page).waitFor()
    await signInAgain(page, 'a wrong one')
    await dialogOf(page).getByRole('alert').waitFor()
    await expectAccessible(page)
    await expectToFit(page)
  })
})

describe.skipIf(!hasChromium)('signing in', () => {
  it('on a phone leads to the top of the next page', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, open } = await openDoor({ viewport, isMobile: true, hasTouch: true })
    await open('/settings')
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
    expect(await page.evaluate('scrollY')).toBe(0)
  })
})
