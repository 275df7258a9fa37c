import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What would run if a screen took words of others for more than words. Each is short enough for a name. */
export const hostile = [
  `"><img src=x onerror="document.title='ran'">`,
  `<script>document.title='ran'</script>`,
  `<svg/onload=document.title='ran'>`,
  `{{constructor.constructor('alert(1)')()}}`,
  `javascript:document.title='ran'`,
  `'-document.title='ran'-'`,
] as const

/** Every word of the corpus is on the screen as it was written, and nothing of it ran. */
export async function expectOnlyWords(page: Page, words: readonly string[] = hostile) {
  for (const word of words) await page.getByText(word, { exact: true }).first().waitFor()
  expect(await page.title()).not.toBe('ran')
  expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0)
}
