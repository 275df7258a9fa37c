import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'

const executablePath = '/usr/bin/chromium'

/**
 * Whether the browser tests can run. CI must have what they need; elsewhere they are left out and say
 * so.
 */
export const hasChromium = existsSync(executablePath) || Boolean(process.env.CI)
if (!hasChromium) console.warn(`The browser tests are left out: there is no ${executablePath}.`)

/** A browser that is closed when the test ends. Root may run it too, without a sandbox. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] })
  onTestFinished(() => browser.close())
  return browser
}
