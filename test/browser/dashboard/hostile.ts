import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Texts that would run if a screen took them for markup. Each is short enough for a name. */
export const hostile = [
  `"><img src=x onerror="document.title='ran'">`,
  `<script>document.title='ran'</script>`,
  `<svg/onload=document.title='ran'>`,
  `{{constructor.constructor('alert(1)')()}}`,
  `javascript:document.title='ran'`,
  `'-document.title='ran'-'`,
] as const

/** Expects every hostile text on the screen as it was written, and none of them to have run. */
export async function expectOnlyWords(page: Page, words: readonly string[] = hostile) {
  for (const word of words) await page.getByText(word, { exact: true }).first().waitFor()
  expect(await page.title()).not.toBe('ran')
  expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0)
}
