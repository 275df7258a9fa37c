import type { Page } from 'playwright-core'
import { admin } from '../../e2e/server.ts'

/** The dialog that asks for the password. */
export const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })

/** Answers that dialog. */
export async function signInAgain(page: Page, password = admin.password): Promise<void> {
  const input = dialogOf(page).getByRole('textbox', { name: 'Password' })
  await input.fill(password)
  await input.press('Enter')
}

/** Reads the page's data again, as after a return from another window. */
export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
}

/** Waits until the page has read everything, or it would ask for the password too early. */
export async function endSession(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  // For the same reason, this blocks what the page reads at intervals.
  await page.route('**/analytics/live*', () => undefined)
  await page.context().clearCookies()
}
