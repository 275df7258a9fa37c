import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { root } from '../../e2e/program.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard } from './dashboard.ts'

const folder = join(root, 'dist/dashboard')
const maxBytes = 235 * 1_024

describe('the built dashboard', () => {
  it('lies there compressed, whatever is worth it', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const plain = files.filter(file => /\.(js|css)$/.test(file))
    const large = plain.filter(file => readFileSync(join(folder, file)).length > 1_024)
    expect(large.length).toBeGreaterThan(5)
    for (const file of large) {
      expect(existsSync(join(folder, `${file}.br`)) && existsSync(join(folder, `${file}.gz`))).toBe(
        true,
      )
    }
  })
})

describe.skipIf(!hasChromium)('the first load of the list of links', () => {
  it('is less than 235 kB of script, compressed', async () => {
    const { page, server, open } = await openDashboard()
    await createLink(server, { title: 'Tickets for Berlin' })
    const scripts: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('.js')) scripts.push(pathname.replace('/dashboard/', ''))
    })
    await open('/links')
    await page.getByText('Tickets for Berlin').waitFor()
    expect(scripts.length).toBeGreaterThan(0)
    const sizes = scripts.map(file => gzipSync(readFileSync(join(folder, file))).length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(maxBytes)
  })
})
