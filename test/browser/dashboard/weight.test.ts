import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../e2e/program.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard } from './dashboard.ts'

const folder = join(root, 'dist/dashboard')
/** The weight of the whole list before it had filters, saved searches and a palette. */
const maxBytes = 190 * 1_024
/** A browser loads six files at once; each further six cost a way to the server and back. */
const maxFiles = 18

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
  it('is less than 190 KiB of script, as it is sent, in few files', async () => {
    const { page, server } = await openDashboard()
    await createLink(server, { title: 'Tickets for Berlin' })
    await page.addInitScript(watchForFirstLink)
    await page.goto(`${server.url}/dashboard/links`)
    await page.getByText('Tickets for Berlin').waitFor()
    const paths = await page.evaluate<string[]>(scriptsBeforeFirstLink)
    expect(paths.length).toBeGreaterThan(0)
    const sizes = paths.map(path => sentOf(join(folder, path.replace('/dashboard/', ''))))
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(maxBytes)
    expect(paths.length).toBeLessThanOrEqual(maxFiles)
  })
})

/** Notes when the first link shows: what loads later delays nobody. */
const watchForFirstLink = `
  globalThis.firstLinkAt = undefined
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('main ul > li')?.textContent.includes('Tickets for Berlin')) return
    observer.disconnect()
    globalThis.firstLinkAt = performance.now()
  }).observe(document, { childList: true, subtree: true })`

const scriptsBeforeFirstLink = `performance.getEntriesByType('resource')
  .filter(({ name, startTime }) => name.endsWith('.js') && startTime < firstLinkAt)
  .map(({ name }) => new URL(name).pathname)`

/** The size with Brotli, unless the file is too small for compression. */
function sentOf(file: string): number {
  return readFileSync(existsSync(`${file}.br`) ? `${file}.br` : file).length
}
