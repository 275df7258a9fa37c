import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../e2e/program.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard, openDoor } from './dashboard.ts'

/** The paths in `routes.ts`, those below `/admin` included, without the redirects. */
const source = readFileSync(join(root, 'plugins/dashboard/web/routes.ts'), 'utf8')
const paths = [
  ...source.matchAll(/createRoute\(\{\s+getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g),
]
  .map(([, parent, path]) => (parent === 'admin' ? `/admin${path}` : `${path}`))
  .filter(path => !['/', '/admin', '/admin/'].includes(path))

/** Pages that a signed-in user does not see. */
const doors = ['/set-up', '/sign-in', '/one-time-link']

const widths = [360, 820, 1440, 1600]

describe('the routes of the dashboard', () => {
  it('are all read by this test', () => {
    const written = source.match(/createRoute\(/g)?.length ?? 0
    // The rest are the shell and three redirects.
    expect(paths.length).toBe(written - 4)
    expect(paths).toContain('/links/$id/analytics')
    expect(paths).toContain('/admin/plans/$slug')
  })
})

describe.skipIf(!hasChromium)('every page, in light and dark', () => {
  it.each(paths.filter(path => !doors.includes(path)))(
    '%s is open to everybody, at any width',
    async path => {
      const { page, server, open } = await openDashboard()
      const { id } = await createLink(server, { title: 'Tickets', password: 'sesame' })
      const made = async (kind: string) =>
        (await server.api('POST', `/${kind}`, { name: 'Print' })).body.data.id
      const parameters: Readonly<Record<string, string>> = {
        links: id,
        tags: path.startsWith('/tags/$') ? await made('tags') : '',
        campaigns: path.startsWith('/campaigns/$') ? await made('campaigns') : '',
      }
      const [, group = ''] = path.split('/')
      const there = path
        .replace('$id', parameters[group] ?? '')
        .replace('$slug', 'pro')
        .replace('$group/$name', 'link/urlScanning')
      await open(there)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await page.waitForLoadState('networkidle')
        await expectToFit(page)
        await expectAccessible(page)
      }
      expect(await page.locator('main').count()).toBe(1)
    },
  )

  it('the door is too', async () => {
    const { page, open } = await openDoor()
    await open('/sign-in')
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await expectToFit(page)
      await expectAccessible(page)
    }
    expect(await page.locator('main').count()).toBe(1)
  })
})
