import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { onTestFinished } from 'vitest'
import { launchChromium } from '../browser/chromium.ts'
import { startedAt } from '../browser/dashboard/clock.ts'
import { root } from '../e2e/program.ts'
import { admin, type Server, serve } from '../e2e/server.ts'
import { now } from './season.ts'

/** A host that people could have; only this Chromium can resolve it. */
const host = 'go.harbour-theatre.example'

/** Takes pictures of the season. */
export interface Studio {
  /** Opens a path as a visitor. */
  visit(path: string, look?: BrowserContextOptions): Promise<Page>
  /** Signs in and opens a path below `/dashboard`. */
  open(path: string, look?: BrowserContextOptions): Promise<Page>
}

const desktop = { viewport: { width: 1180, height: 720 }, deviceScaleFactor: 1.5 }

export const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** Serves the season's data under its own host name. */
export async function openStudio(dataDir: string): Promise<Studio> {
  const server = await serve({
    dataDir,
    env: { LINNET_BASE_URL: `http://${host}`, ...startedAt(now) },
  })
  const browser = await launchChromium([
    `--host-resolver-rules=MAP ${host}:80 ${addressOf(server)}`,
    '--lang=en-GB',
  ])
  onTestFinished(() => browser.close())
  async function visit(path: string, look?: BrowserContextOptions) {
    const zone = { locale: 'en-GB', timezoneId: 'Europe/Berlin' }
    const page = await browser.newPage({ ...desktop, ...zone, ...look })
    await page.clock.setFixedTime(now)
    await page.goto(`http://${host}${path}`)
    return page
  }
  return {
    visit,
    async open(path, look) {
      const page = await visit(`/dashboard/sign-in?next=${encodeURIComponent(path)}`, look)
      await page.getByLabel('E-mail address').fill(admin.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
      // A phone scrolls to the field that is typed into.
      await page.reload()
      await page.evaluate('scrollTo(0, 0)')
      return page
    },
  }
}

function addressOf({ log }: Server): string {
  const ready = log.find(({ message }) => message.startsWith('Linnet is ready'))
  return `127.0.0.1:${ready?.port}`
}

/** Takes a picture once everything has loaded and nothing moves. */
export async function take(page: Page, name: string, what: Page | Locator = page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(animation => animation.finished))',
  )
  const picture = await what.screenshot({ animations: 'disabled', caret: 'hide' })
  writeFileSync(join(root, 'docs/images', `${name}.png`), compact(picture))
}

/** Makes the file smaller: screens have flat colours, for which PNG filters need more bytes. */
function compact(png: Buffer): Buffer {
  const plain = { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 } as const
  return PNG.sync.write(PNG.sync.read(png), plain)
}
