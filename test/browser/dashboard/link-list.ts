import type { Page } from 'playwright-core'
import { createLink } from '../../e2e/server.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'

/** The row of a link, by a text in it. */
export const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ hasText: name })

/** The codes in the list, from the top; read at once, because any may disappear the next moment. */
export const codes = (page: Page) =>
  page.evaluate<string[]>(`Array.from(
    document.querySelectorAll('main li a[target]'),
    link => new URL(link.href).pathname.slice(1),
  )`)

/** The list with three links: one with a tag, one archived. */
export async function withLinks(): Promise<Dashboard> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const dashboard = await openDashboard({ permissions, reducedMotion: 'reduce' })
  const { server } = dashboard
  const { body } = await server.api('POST', '/tags', { name: 'Print', color: '#e8590c' })
  const tag_ids = [body.data.id]
  await createLink(server, { short_code: 'berlin', title: 'Tickets for Berlin', tag_ids })
  await createLink(server, { short_code: 'press', title: 'Press kit' })
  await createLink(server, { short_code: 'autumn', title: 'Autumn offer', archived: true })
  return dashboard
}

/** Copies the short URL of the link with this title; the button says so for a moment only, which must not be missed. */
export async function copyIn(page: Page, title: string): Promise<void> {
  const button = (name: string | RegExp) => row(page, title).getByRole('button', { name })
  const copied = button('Copied').waitFor()
  await Promise.all([copied, button(/^Copy/).click()])
}
