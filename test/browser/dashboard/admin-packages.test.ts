import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root, temporaryFolder } from '../../e2e/program.ts'
import { startRegistry } from '../../e2e/registry.ts'
import { serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { confirmPassword, expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const fixture = join(root, 'test/e2e/fixtures/hours')
const name = 'linnet-plugin-hours'

describe.skipIf(!hasChromium)('plugins from outside', () => {
  it('are installed, updated and removed, by the keyboard alone', async () => {
    const registry = await startRegistry()
    registry.publish(fixture, { version: '1.0.0' })
    const env = { LINNET_PLUGIN_INSTALL: '1', npm_config_registry: registry.url }
    const { page, server, open } = await openDashboard({ server: await serve({ env }) })
    await open('/admin/plugins')
    await page.getByRole('link', { name: 'Install plugins' }).press('Enter')
    await page.getByText('No plugins installed yet').waitFor()
    const input = page.getByLabel('Package')
    await input.fill('../hours')
    await input.press('Enter')
    await page.getByText('Enter the name of a package').waitFor()
    await input.fill('linnet-plugin-days')
    await input.press('Enter')
    await confirmPassword(page)
    await page.getByText('The npm registry does not have this package').waitFor()
    await expectAccessible(page)
    await input.fill(name)
    await input.press('Enter')
    await confirmPassword(page, 'Downloading and testing')
    await page.getByText(`${name} 1.0.0 installed.`).waitFor()
    expect((await server.api('GET', '/hours')).status).toBe(200)

    const row = page.getByRole('listitem').filter({ hasText: name })
    await row.getByText('Running').waitFor()
    const look = page.getByRole('button', { name: 'Check for updates' })
    await look.press('Enter')
    await page.getByText('Everything is up to date.').waitFor()
    registry.publish(fixture, { version: '2.0.0' })
    await look.press('Enter')
    await page.getByText('An update is available.').waitFor()
    await expectAccessible(page)
    await row.getByRole('button', { name: `Update to 2.0.0: ${name}` }).press('Enter')
    await confirmPassword(page)
    await page.getByText(`${name} 2.0.0 installed.`).waitFor()
    await row.getByText(`${name} 2.0.0`).waitFor()

    await row.getByRole('link', { name: 'acme.hours' }).press('Enter')
    await page.getByRole('heading', { name: 'Hours', level: 1 }).waitFor()
    await page.goBack()
    await row.getByRole('button', { name: `Remove ${name}` }).press('Enter')
    await page.getByRole('dialog').getByText('Its stored data is kept').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await confirmPassword(page)
    await page.getByText('No plugins installed yet').waitFor()
    expect((await server.api('GET', '/hours')).status).toBe(404)
  })

  it('are found in the index, which is read when an admin says so, and installed from there', async () => {
    const registry = await startRegistry()
    registry.publish(fixture, { version: '1.0.0' })
    const entry = {
      name,
      about: 'Open links in business hours only.',
      license: 'MIT',
      released: '2026-11-20',
      reads: ['place'],
      versions: [{ version: '1.0.0', api: '^1' }],
      verified: { by: 'Acme', versions: '^1', provenance: 'https://example.org/hours' },
    }
    const tooNew = {
      ...entry,
      name: 'linnet-plugin-moods',
      about: 'Give links a mood.',
      versions: [{ version: '9.0.0', api: '^9' }],
    }
    const plugins = [entry, tooNew]
    const index = createServer((_, res) => res.end(JSON.stringify({ plugins })))
    await new Promise<void>(resolve => index.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void index.close())
    const { port } = index.address() as AddressInfo
    const env = {
      LINNET_PLUGIN_INSTALL: '1',
      npm_config_registry: registry.url,
      LINNET_PLUGIN_INDEX: `http://127.0.0.1:${port}/plugins.json`,
    }
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ server: await serve({ env }), viewport })
    await open('/admin/plugins/packages')
    await page.getByRole('button', { name: 'Read the index' }).click()
    await page.getByText('2 plugins').waitFor()
    await page.getByText('it is for plugin API ^9').waitFor()
    const mark = page.getByRole('link', { name: 'verified by Acme' })
    expect(await mark.getAttribute('href')).toBe('https://example.org/hours')
    expect(await mark.count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Install 9.0.0' }).count()).toBe(0)
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByLabel('Search the index').fill('hours business')
    await page.getByText('1 plugin', { exact: true }).waitFor()
    await page.getByRole('button', { name: `Install 1.0.0: ${name}` }).click()
    await confirmPassword(page)
    await page.getByText(`${name} 1.0.0 installed.`).waitFor()
    await page.getByText('1.0.0 installed', { exact: true }).waitFor()
    expect((await server.api('GET', '/hours')).status).toBe(200)
  })

  it('are listed with what is wrong with them, and with how to allow installing', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'plugins'))
    writeFileSync(join(dataDir, 'plugins/broken.js'), "throw new Error('no plugin today')")
    const viewport = { width: 360, height: 740 }
    const { page, open } = await openDashboard({ server: await serve({ dataDir }), viewport })
    await open('/admin/plugins/packages')
    await page.getByText('Installing plugins here is switched off').waitFor()
    await page.getByText('LINNET_PLUGIN_INSTALL=1').waitFor()
    await page.getByText('loading it fails: no plugin today').waitFor()
    expect(await page.getByRole('button', { name: 'Remove broken.js' }).count()).toBe(0)
    await expectToFit(page)
    await expectAccessible(page)

    await open('/admin/plugins')
    await page.getByText('Stack trace').click()
    await page.getByText(/at .*plugins\/broken\.js:1:7/).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
  })

  it('say that the registry cannot be reached, and that PLUGINS names none of them', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'plugins'))
    writeFileSync(join(dataDir, 'plugins/never.js'), 'process.exit(3)')
    const env = {
      ...{ LINNET_PLUGIN_INSTALL: '1', npm_config_registry: 'http://127.0.0.1:9' },
      PLUGINS: 'dashboard.web',
    }
    const { page, open } = await openDashboard({ server: await serve({ dataDir, env }) })
    await open('/admin/plugins/packages')
    await page.getByText('the environment variable PLUGINS does not list it').waitFor()
    await page.getByLabel('Package').fill(name)
    await page.getByRole('button', { name: 'Install' }).click()
    await confirmPassword(page)
    await page.getByText('The npm registry cannot be reached').waitFor()
  })
})
