import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { liveThroughSeason } from './season.ts'
import { openStudio, phone, type Studio, take } from './studio.ts'

type Scheme = 'light' | 'dark'

it('takes the pictures of the documents', async () => {
  const studio = await openStudio(await liveThroughSeason())
  for (const colorScheme of ['light', 'dark'] as const) {
    await takeLinks(studio, colorScheme)
    await takeAnalytics(studio, colorScheme)
  }
  await takeForm(studio)
  await takeCampaign(studio)
  await takePlugins(studio)
  await takePhone(studio)
  await takePassword(studio)
  await takeBrand(studio)
})

async function takeLinks(studio: Studio, colorScheme: Scheme): Promise<void> {
  const page = await studio.open('/links', { colorScheme })
  await page.getByText('Spring season').waitFor()
  await take(page, `links-${colorScheme}`)
}

async function takeAnalytics(studio: Studio, colorScheme: Scheme): Promise<void> {
  const viewport = { width: 1180, height: 1130 }
  const page = await studio.open('/analytics', { colorScheme, viewport })
  await untilDrawn(page)
  await take(page, `analytics-${colorScheme}`)
}

/** The form of a link with the QR code beside it, then its rules after a try. */
async function takeForm(studio: Studio): Promise<void> {
  const viewport = { width: 1440, height: 865 }
  const page = await studio.open('/links?q=tickets', { viewport, deviceScaleFactor: 1.25 })
  await page.getByRole('button', { name: 'Actions for Tickets for the autumn tour' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('img', { name: /^QR code that leads/ }).waitFor()
  await take(page, 'link-form')

  const opener = page.getByRole('button', { name: /^Routing rules/ })
  const trying = page.getByRole('region', { name: 'Test the rules' })
  await opener.click()
  await trying.getByLabel('Operating system').fill('Android')
  await trying.getByRole('button', { name: 'Test', exact: true }).click()
  await trying.getByText('“App” applies.').waitFor()
  const rules = page.locator('div').filter({ has: opener }).filter({ has: trying }).last()
  await take(page, 'link-rules', rules)
}

async function takeCampaign(studio: Studio): Promise<void> {
  const page = await studio.open('/campaigns', { viewport: { width: 1180, height: 690 } })
  await page.getByRole('link', { name: 'Autumn tour' }).first().click()
  await page.getByRole('heading', { name: 'Autumn tour', level: 1 }).waitFor()
  await take(page, 'campaign')
}

async function takePlugins(studio: Studio): Promise<void> {
  const page = await studio.open('/admin/plugins')
  await page.getByRole('link', { name: 'Password protection' }).waitFor()
  await take(page, 'admin-plugins')
}

async function takePhone(studio: Studio): Promise<void> {
  const list = await studio.open('/links', phone)
  await list.getByText('Spring season').waitFor()
  await take(list, 'phone-links')
  const numbers = await studio.open('/analytics', { ...phone, colorScheme: 'dark' })
  await untilDrawn(numbers)
  await take(numbers, 'phone-analytics')
}

async function takePassword(studio: Studio): Promise<void> {
  const page = await studio.visit('/press', { viewport: { width: 700, height: 460 } })
  await page.getByLabel('Password').waitFor()
  await take(page, 'visitor-password')
}

/** The last picture: from here on, visitors see the brand. */
async function takeBrand(studio: Studio): Promise<void> {
  const page = await studio.open('/admin/brand', { viewport: { width: 1180, height: 960 } })
  await page.getByLabel('Name').fill('Harbour Theatre')
  await page.getByLabel('Colour', { exact: true }).fill('#0b6e83')
  await page.frameLocator('iframe').getByText('Harbour Theatre').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Brand saved').waitFor()
  await page.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor()
  // The element under the pointer stays highlighted.
  await page.mouse.move(0, 0)
  await page.getByText('Brand saved').waitFor({ state: 'detached' })
  await take(page, 'admin-brand')
}

/** Waits for charts and maps, which load after the page. */
async function untilDrawn(page: Page): Promise<void> {
  await page.getByRole('slider', { name: 'Visits over time' }).waitFor()
  await page.locator('[data-country=DE]').waitFor()
}
