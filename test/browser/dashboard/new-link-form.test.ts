import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { type DashboardOptions, expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const withClipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

const make = (page: Page) => page.getByRole('button', { name: 'Create link' }).click()

async function openNewLink(options: DashboardOptions = {}) {
  const dashboard = await openDashboard(options)
  await dashboard.open('/links/new')
  await dashboard.page.getByLabel('Original URL').fill('https://example.com/tickets')
  return dashboard
}

describe.skipIf(!hasChromium)('a short code, while it is typed', () => {
  it('is said to be taken, with one to take instead', async () => {
    const { page, server } = await openNewLink()
    await createLink(server, { short_code: 'sale' })
    await page.getByLabel('Short code').fill('sale')
    await page.getByText('Already taken.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use sale-2' }).click()
    await page.getByText('Available.').waitFor()
    await make(page)
    await page.getByText('/sale-2 is ready.').waitFor()
  })

  it.each([
    ['spring sale!', 'spring-sale'],
    ['Größe', 'Gro-e'],
  ])('that cannot be one, as %j, is put right by a button', async (typed, code) => {
    const { page } = await openNewLink()
    await page.getByLabel('Short code').fill(typed)
    await page.getByText('only letters, digits, hyphens and underscores').waitFor()
    await page.getByRole('button', { name: `Use ${code}` }).click()
    await page.getByText('Available.').waitFor()
  })
})

describe.skipIf(!hasChromium)('the form of a new link', () => {
  it('is filled in by its address, as bookmarklets and phones open it', async () => {
    const { page, open } = await openDashboard()
    const asked = { url: 'https://example.com/a?b=1&c=2', title: 'A page' }
    await open(`/links/new?${new URLSearchParams(asked)}`)
    expect(await page.getByLabel('Original URL').inputValue()).toBe(asked.url)
    expect(await page.getByLabel('Title').inputValue()).toBe(asked.title)
    const text = 'Look at this: https://example.com/shared'
    await open(`/links/new?${new URLSearchParams({ text })}`)
    expect(await page.getByLabel('Original URL').inputValue()).toBe('https://example.com/shared')
  })

  it('is filled in with what another link has, but for its code', async () => {
    const { page, server, open } = await openDashboard()
    const like = { original_url: 'https://example.com/x', title: 'X', short_code: 'first' }
    const { id } = await createLink(server, { ...like, notes: 'Print' })
    await open(`/links/new?like=${id}`)
    await page.getByLabel('Original URL').waitFor()
    expect(await page.getByLabel('Short code').inputValue()).toBe('')
    expect(await page.getByLabel('Notes').inputValue()).toBe('Print')
    await make(page)
    await page.getByText('is ready.').waitFor()
    const { body } = await server.api('GET', '/links?search=example.com/x')
    expect(body.meta.total).toBe(2)
  })

  it('is in sight as a whole on a laptop, and fits phones', async () => {
    const viewport = { width: 1440, height: 900 }
    const { page } = await openNewLink({ viewport })
    const height = await page.evaluate('document.documentElement.scrollHeight')
    expect(height).toBe(900)
    for (const width of [1024, 768, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await expectToFit(page)
    }
  })

  it('ends a link so many days from now', async () => {
    const { page, server } = await openNewLink()
    await page.getByRole('button', { name: /^Link expiration/ }).click()
    await page.getByRole('button', { name: 'In 7 days' }).click()
    const until = Date.now() + 7 * 86_400_000
    await page.getByRole('button', { name: /^Link expiration Ends at .*20\d\d/ }).waitFor()
    await make(page)
    await page.getByText('is ready.').waitFor()
    const [{ expiresAt }] = (await server.api('GET', '/links')).body.data
    expect(Math.abs(Date.parse(expiresAt) - until)).toBeLessThan(5 * 60_000)
  })

  it('keeps UTM parameters as templates, for the next link', async () => {
    const { page, server, open } = await openNewLink()
    const fill = async () => {
      await page.getByRole('button', { name: /^UTM parameters/ }).click()
      await page.getByRole('button', { name: 'Templates' }).click()
    }
    await page.getByRole('button', { name: /^UTM parameters/ }).click()
    await page.getByLabel('Source').fill('newsletter')
    await page.getByRole('button', { name: 'Templates' }).click()
    await page.getByRole('menuitem', { name: 'Save as template' }).click()
    await page.getByLabel('Template name').fill('Monday mail')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Monday mail' }).waitFor()
    await make(page)
    await page.getByText('is ready.').waitFor()

    await open('/links/new?url=https://example.com/second')
    await fill()
    await page.getByRole('menuitem', { name: 'Monday mail' }).click()
    expect(await page.getByLabel('Source').inputValue()).toBe('newsletter')
    await make(page)
    await page.getByText('is ready.').waitFor()
    const { body } = await server.api('GET', '/links?search=second')
    expect(body.data[0].originalUrl).toBe('https://example.com/second?utm_source=newsletter')

    await open('/links/new')
    await fill()
    await page.getByRole('menuitem', { name: 'Monday mail' }).click()
    await page.getByRole('button', { name: 'Monday mail' }).click()
    await page.getByRole('menuitem', { name: 'Remove “Monday mail”' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Monday mail' }).count()).toBe(0)
  })
})

describe.skipIf(!hasChromium)('a link that was just made', () => {
  it('has a button to copy it where the browser refused', async () => {
    const { page, server } = await openNewLink(withClipboard)
    await page.evaluate(`{
      const write = navigator.clipboard.writeText.bind(navigator.clipboard)
      let isAsked = false
      navigator.clipboard.writeText = text => {
        if (isAsked) return write(text)
        isAsked = true
        return Promise.reject(new DOMException('Not now.', 'NotAllowedError'))
      }
    }`)
    await make(page)
    await page.getByText('Your browser did not allow copying.').waitFor()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copy again' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toMatch(`${server.url}/`)
  })

  it('is shown again when the page is loaded again', async () => {
    const { page } = await openNewLink()
    await make(page)
    await page.getByText('is ready.').waitFor()
    await page.reload()
    await page.getByText('is ready.').waitFor()
  })
})

describe.skipIf(!hasChromium)('a server near by, without the internet', () => {
  it('is asked as ever', async () => {
    const { page, open } = await openDashboard()
    await open('/links/new')
    await page.evaluate(`
      Object.defineProperty(navigator, 'onLine', { get: () => false })
      window.dispatchEvent(new Event('offline'))
    `)
    await page.getByLabel('Original URL').fill('https://example.com/')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('is ready.').waitFor()
  })
})
