import { existsSync } from 'node:fs'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { stepMs } from '../patience.ts'

const executablePath = '/usr/bin/chromium'

/**
 * Whether the browser tests can run. CI must have what they need; elsewhere they are left out and say
 * so.
 */
export const hasChromium = existsSync(executablePath) || Boolean(process.env.CI)
if (!hasChromium) console.warn(`The browser tests are left out: there is no ${executablePath}.`)

/** A browser whose pages have the patience of the tests. */
export interface Chromium {
  /** A page that shares nothing with those opened before. */
  newPage(options?: BrowserContextOptions): Promise<Page>
}

/** A browser that is closed when the test ends. Root may run it too, without a sandbox. */
export async function openChromium(args: readonly string[] = []): Promise<Chromium> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', ...args],
    timeout: stepMs,
  })
  onTestFinished(() => browser.close())
  return {
    async newPage(options) {
      const context = await browser.newContext(options)
      context.setDefaultTimeout(stepMs)
      return context.newPage()
    },
  }
}
