import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard, openDoor } from './dashboard.ts'

const hostile = `"><img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`

describe.skipIf(!hasChromium)('what the policy of the page forbids', () => {
  itAtNight('is seen by these tests', async () => {
    const { page, open, complaints } = await openDoor()
    await open('/sign-in')
    await page.evaluate(`document.head.append(Object.assign(document.createElement('style'), {
      textContent: 'body { color: red }',
    }))`)
    await expect
      .poll(() => complaints.splice(0))
      .toEqual([expect.stringMatching(/inline style.*Content Security Policy/s)])
  })

  itAtNight('is not done by menus, dialogs, tooltips and notifications', async () => {
    const { page, server, open } = await openDashboard()
    await createLink(server, { short_code: 'berlin', title: 'Tickets for Berlin' })
    await open('/links')
    await page.getByRole('button', { name: /^Copy/ }).hover()
    await page.getByRole('tooltip').waitFor()
    await page.getByRole('button', { name: 'Actions for Tickets for Berlin' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    const overflow = () => page.evaluate('getComputedStyle(document.body).overflow')
    await expect.poll(overflow).toBe('hidden')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Link deleted.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(overflow).not.toBe('hidden')
  })

  itAtNight('keeps words of others from being more than words', async () => {
    const { page, server, open } = await openDashboard()
    const { body: tag } = await server.api('POST', '/tags', { name: hostile.slice(0, 40) })
    const original_url = `https://example.com/?q=${encodeURIComponent(hostile)}`
    await createLink(server, { title: hostile, original_url, tag_ids: [tag.data.id] })
    await open('/links')
    await page.getByText(hostile, { exact: true }).waitFor()
    expect(await page.title()).toBe('Links · Linnet')
    expect(await page.locator('main img').count()).toBe(0)
  })
})
