import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { chromiumPath } from '../bench/chromium.mjs'
import { stepMs } from '../patience.ts'

/** Whether the browser tests can run. CI must have Chromium; elsewhere the tests are skipped and say so. */
export const hasChromium = chromiumPath !== undefined || Boolean(process.env.CI)
if (!hasChromium) console.warn('The browser tests are left out: there is no chromium.')

let browser: Promise<Browser> | undefined

/** Opens a page in a new context; all tests of a process share the browser. */
export async function openPage(options?: BrowserContextOptions): Promise<Page> {
  browser ??= launchChromium()
  const context = await (await browser).newContext(options)
  onTestFinished(() => context.close())
  context.setDefaultTimeout(stepMs)
  return context.newPage()
}

/** Starts Chromium with these extra arguments, for root without its sandbox. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath && { executablePath: chromiumPath }),
    args: ['--no-sandbox', ...args],
    timeout: stepMs,
  })
}
