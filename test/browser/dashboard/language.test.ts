import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { root } from '../../e2e/program.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard } from './dashboard.ts'

const fileOf = (path: string) => join(root, 'dist', path)

describe.skipIf(!hasChromium)('the language', () => {
  itAtNight('is chosen in the account menu, kept, and loaded alone', async () => {
    const { page, open } = await openDashboard({ locale: 'pt-BR' })
    await open('/links')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    const loaded: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('.js')) loaded.push(readFileSync(fileOf(pathname), 'utf8'))
    })
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('link', { name: 'Kampagnen' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(loaded.filter(script => script.includes('Zum Inhalt springen'))).toHaveLength(1)
    expect(loaded.filter(script => /Skip to content|Aller au contenu/.test(script))).toEqual([])
    await open('/tags')
    await page.getByRole('heading', { name: 'Das erste Schlagwort erstellen' }).waitFor()
    await open('/settings')
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('Español')
    await page.getByRole('heading', { level: 1, name: 'Ajustes' }).waitFor()
  })
})
