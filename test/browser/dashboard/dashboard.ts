import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { admin, type Instance } from '../../e2e/server.ts'
import { openPage } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'

/** The dashboard of an instance, in a page of its own. */
export interface Dashboard {
  readonly server: Instance
  readonly page: Page
  /** What went wrong behind the screen, as a blocked style; when the test ends it must be empty. */
  readonly complaints: string[]
  /** Open a path below `/dashboard`, as `/links`, and wait until it is there. */
  open(path: string): Promise<void>
}

export interface DashboardOptions extends BrowserContextOptions {
  /** A new one in this process unless given. */
  readonly server?: Instance
}

/** Open it and sign in as the admin. */
export async function openDashboard(options: DashboardOptions = {}): Promise<Dashboard> {
  const dashboard = await openDoor(options)
  const { page, server } = dashboard
  const answer = await page.request.post(`${server.url}/api/v1/session`, {
    data: admin,
    headers: { origin: server.url },
  })
  expect(answer.status()).toBe(201)
  return dashboard
}

/** Open it, and sign in nobody. */
export async function openDoor(options: DashboardOptions = {}): Promise<Dashboard> {
  const { server = await startLinnet(), ...context } = options
  const page = await openPage({ locale: 'en-GB', ...context })
  return {
    server,
    page,
    complaints: watch(page, server.url),
    async open(path) {
      await page.goto(`${server.url}/dashboard${path}`)
      await page.locator('main h1').waitFor()
      // A page listens to its keys only once it has been painted.
      await page.evaluate('new Promise(done => requestAnimationFrame(() => setTimeout(done)))')
    },
  }
}

/** What goes wrong without anybody seeing it: blocked styles and scripts, errors, requests to others. */
function watch(page: Page, origin: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(`${error.name}: ${error.message}`))
  page.on('console', message => {
    // A refusal of the API is an answer; Chromium writes it down as an error.
    const isAnswer =
      /^Failed to load resource: .* status of 4\d\d/.test(message.text()) &&
      new URL(message.location().url).pathname.startsWith('/api/')
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
  })
  page.on('request', request => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) complaints.push(`It asks ${url}`)
  })
  onTestFinished(() => expect(complaints).toEqual([]))
  return complaints
}

/** Press a key, and again, until what it opens is there: a page that was just opened may not listen yet. */
export async function pressFor(key: string, opened: Locator): Promise<void> {
  const isThere = () =>
    opened.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  for (let presses = 0; presses < 10; presses++) {
    await opened.page().keyboard.press(key)
    if (await isThere()) return
  }
  const focused = await opened.page().evaluate('document.activeElement.outerHTML.slice(0, 200)')
  throw new Error(`The key ${key} opens nothing. The focus is in ${focused}`)
}

/** What belongs to an input, as what is wrong with it, by the input's label. */
export function around(page: Page, label: string): Locator {
  return page.locator('.mantine-InputWrapper-root', { has: page.getByLabel(label) })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Nothing on the page is out of reach for anybody, in light and dark: axe's rules for WCAG 2.2, level AA. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingBroken(page, wcag)
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const before = await background()
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await expect.poll(background).not.toBe(before)
  // Nothing else comes from the scheme.
  await expectNothingBroken(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  await expect.poll(background).toBe(before)
}

async function expectNothingBroken(page: Page, rules: readonly string[]): Promise<void> {
  // What fades in is pale for a moment.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(animation => animation.finished))',
  )
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const found = await page.evaluate(
    // Menus and dialogs lie outside of the landmarks, at the end of the page.
    `axe.run({ runOnly: ${JSON.stringify(rules)}, rules: { region: { enabled: false } } }).then(({ violations }) => violations.flatMap(
      ({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join('\\n')),
    ))`,
  )
  expect(found).toEqual([])
}

/** Nothing sticks out to the side. */
export async function expectToFit(page: Page): Promise<void> {
  const excess = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(excess).toBe(0)
}
