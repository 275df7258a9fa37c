import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { isNight } from '../at-night.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { browser, serve } from '../e2e/server.ts'
import { patience } from '../patience.ts'
import { hasChromium, openPage } from './chromium.ts'

/** The web client of Shlink without its list of servers, and what it asks others to install. */
const packages = [
  '@shlinkio/shlink-web-component@0.18.0',
  '@shlinkio/shlink-js-sdk@3.2.1',
  '@shlinkio/shlink-frontend-kit@1',
  ...['react@19', 'react-dom@19', 'react-is@19', 'react-redux@9', 'react-router@7'],
  ...['@reduxjs/toolkit@2', '@fortawesome/react-fontawesome@3'],
  ...['fontawesome-svg-core', 'free-brands-svg-icons'].map(it => `@fortawesome/${it}@7`),
  ...['free-regular-svg-icons', 'free-solid-svg-icons'].map(it => `@fortawesome/${it}@7`),
]

const app = `
import { ShlinkApiClient } from '@shlinkio/shlink-js-sdk'
import { FetchHttpClient } from '@shlinkio/shlink-js-sdk/fetch'
import { ShlinkSidebarVisibilityProvider, ShlinkWebComponent } from '@shlinkio/shlink-web-component'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'

const apiClient = new ShlinkApiClient(new FetchHttpClient(), globalThis.server)
const { version: serverVersion } = await apiClient.health()
const settings = { realTimeUpdates: { enabled: false } }
const client = createElement(ShlinkWebComponent, { apiClient, serverVersion, settings })
const shown = createElement(ShlinkSidebarVisibilityProvider, null, client)
createRoot(document.getElementById('root')).render(createElement(BrowserRouter, null, shown))
`

/** It fetches the client from the npm registry, as it is published. */
it.runIf(hasChromium && isNight)(
  'the web client of Shlink makes, lists, filters, edits and deletes links through its own pages',
  async () => {
    const linnet = await serve()
    await linnet.api('PATCH', '/admin/plugins/developer.shlink', { enabled: true })
    const scopes = ['links:write', 'tags:write', 'domains:read', 'analytics:read']
    const { body } = await linnet.api('POST', '/api-tokens', { name: 'Shlink', scopes })
    const origin = await pagesOfClient({ baseUrl: linnet.url, apiKey: body.data.token })
    const page = await openPage()
    const failures: string[] = []
    page.on('pageerror', error => failures.push(error.message))
    page.on('response', response => {
      // Mercure, which tells of visits in real time, is no part of it.
      const isMissing = response.status() >= 400 && !response.url().endsWith('/mercure-info')
      if (isMissing) failures.push(`${response.status()} ${response.url()}`)
    })
    const open = (path: string) => page.goto(`${origin}${path}`)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const listed = () => page.locator('tbody tr')

    for (const [code, tag] of [
      ['spring', 'news'],
      ['autumn', 'old'],
    ] as const) {
      await open('/create-short-url')
      await page.getByPlaceholder('URL to be shortened').fill(`https://example.com/${code}`)
      await page.getByPlaceholder('Title').fill(`The ${code} sale`)
      await page.getByPlaceholder('Custom slug').fill(code)
      await page.getByPlaceholder('Add tags to the URL').fill(tag)
      await page.keyboard.press('Enter')
      await press('Save')
      await page.getByText('The short URL is').waitFor()
    }
    await linnet.get('/spring', { 'user-agent': browser })
    const links = async () => (await linnet.api('GET', '/links?short_code=spring')).body.data
    await expect.poll(async () => (await links())[0].visits.total).toBe(1)

    await open('/list-short-urls/1')
    await page.getByText('The spring sale').first().waitFor()
    expect(await listed().count()).toBe(2)
    await open('/list-short-urls/1?excludeTags=old')
    await page.getByText('The spring sale').first().waitFor()
    expect(await listed().count()).toBe(1)

    await open('/short-code/spring/edit')
    await page.getByPlaceholder('Title').fill('The summer sale')
    await press('Save')
    await page.getByText('Short URL properly edited.').waitFor()
    expect(await links()).toMatchObject([
      { title: 'The summer sale', originalUrl: 'https://example.com/spring' },
    ])

    await open('/manage-tags')
    await page.getByText('news', { exact: true }).first().waitFor()
    await open('/short-code/spring/visits')
    await page.getByText('The summer sale').waitFor()
    // It counts rows there, of which Linnet has none.
    await page.getByText('There are no visits matching current filter').waitFor()

    await open('/list-short-urls/1?excludeTags=old')
    await listed().getByRole('link', { name: '1', exact: true }).waitFor()
    await press('Options')
    await page.getByRole('menuitem', { name: 'Delete short URL' }).click()
    await page.getByPlaceholder('delete').fill('delete')
    await press('Delete')
    await expect.poll(async () => (await linnet.get('/spring')).status).toBe(404)
    expect(failures).toEqual([])
  },
  // Packages come from the registry first, which takes minutes on a busy machine.
  2 * patience.testTimeout,
)

/** The origin of the pages of the client, which asks this server. */
async function pagesOfClient(server: {
  readonly baseUrl: string
  readonly apiKey: string
}): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(join(folder, 'app.js'), app)
  const options = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: folder })
  const { build } = await import('vite')
  await build({
    ...{ root: folder, configFile: false, logLevel: 'error' },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      ...{ outDir: 'out', target: 'esnext', minify: false },
      rollupOptions: { input: join(folder, 'app.js'), output: { entryFileNames: 'app.js' } },
    },
  })
  const script = readFileSync(join(folder, 'out/app.js'))
  const html = `<!doctype html><div id="root"></div>
<script>globalThis.server = ${JSON.stringify(server)}</script>
<script type="module" src="/app.js"></script>`
  const pages = createServer(({ url = '' }, answer) => {
    if (url === '/app.js') answer.setHeader('content-type', 'text/javascript').end(script)
    else answer.setHeader('content-type', 'text/html').end(html)
  })
  await once(pages.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    pages.closeAllConnections()
    pages.close()
  })
  return `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
}
