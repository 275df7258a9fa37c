import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { createLink } from '../../e2e/server.ts'
import { type Dashboard, type DashboardOptions, openDashboard } from './dashboard.ts'

/** Without motion, panels open at once: a click during the motion would miss. */
const reducedMotion = 'reduce'

/** The page of a link with a QR code and the short code `poster`. */
export async function openCode(
  options: DashboardOptions = {},
): Promise<Dashboard & { readonly id: string }> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const dashboard = await openDashboard({ permissions, reducedMotion, ...options })
  const { id } = await createLink(dashboard.server, { short_code: 'poster' })
  await dashboard.open(`/links/${id}`)
  await dashboard.page.getByRole('img', { name: /^QR code/ }).waitFor()
  return { ...dashboard, id }
}

/** The file that the button for this format saves. */
export async function download(page: Page, format: string) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${format}` }).click(),
  ])
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) }
}
