import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { admin, type Instance } from '../../e2e/server.ts'
import { openPage } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'

/** The dashboard of an instance, in its own page. */
export interface Dashboard {
  readonly server: Instance
  readonly page: Page
  /** Problems that nobody sees on the screen, such as a blocked style; the list must be empty when the test ends. */
  readonly complaints: string[]
  /** Opens a path below `/dashboard`, such as `/links`, and waits until it is there. */
  open(path: string): Promise<void>
}

export interface DashboardOptions extends BrowserContextOptions {
  /** By default a new one in this process. */
  readonly server?: Instance
}

/** Opens the dashboard and signs in as the admin. */
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

/** Types the admin's password where a step asks for it. */
export async function confirmPassword(page: Page, meanwhile?: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Enter your password' })
  await dialog.getByLabel('Current password').fill(admin.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  if (meanwhile) await page.getByText(meanwhile).waitFor()
  await dialog.waitFor({ state: 'detached' })
}

/** Opens the dashboard without signing in. */
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
      // A page hears keys only once it has been painted. It may load itself again until then.
      await page.waitForFunction(
        'new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true))))',
      )
    },
  }
}

/** Collects problems that nobody sees: blocked styles and scripts, errors, requests to other hosts. */
function watch(page: Page, origin: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(`${error.name}: ${error.message}`))
  page.on('console', message => {
    // A refusal by the API is a valid answer, but Chromium logs it as an error.
    const isAnswer =
      /^Failed to load resource: .* status of 4\d\d/.test(message.text()) &&
      new URL(message.location().url).pathname.startsWith('/api/')
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
  })
  page.on('request', request => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) complaints.push(`It asks ${url}`)
  })
  onTestFinished(() => expect(complaints, complaints.join('\n')).toEqual([]))
  return complaints
}

/** Presses a key until what it opens is there: a page that has just opened may not listen yet. */
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

/** The element around an input, found by the input's label; it holds the error message too. */
export function around(page: Page, label: string): Locator {
  return page.locator('.mantine-InputWrapper-root', { has: page.getByLabel(label) })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Expects the page to pass axe's rules for WCAG 2.2, level AA, in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingBroken(page, wcag)
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const before = await background()
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await expect.poll(background).not.toBe(before)
  // Nothing else depends on the colour scheme.
  await expectNothingBroken(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  await expect.poll(background).toBe(before)
}

async function expectNothingBroken(page: Page, rules: readonly string[]): Promise<void> {
  // While an element fades in, its contrast is low. What turns for ever, such as a loader, is not waited for.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations().flatMap(
      it => it.effect.getComputedTiming().endTime === Infinity ? [] : [it.finished],
    ))`,
  )
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const found = await page.evaluate(
    // Menus and dialogs are outside of the landmarks, at the end of the page.
    `axe.run({ runOnly: ${JSON.stringify(rules)}, rules: { region: { enabled: false } } }).then(({ violations }) => violations.flatMap(
      ({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join('\\n')),
    ))`,
  )
  expect(found).toEqual([])
}

/** Expects nothing to stick out sideways. */
export async function expectToFit(page: Page): Promise<void> {
  const excess = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(excess).toBe(0)
}
