import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isNight } from '../at-night.ts'
import { root } from '../e2e/program.ts'
import { serve, token } from '../e2e/server.ts'
import { expected } from '../smoke/try-client.mjs'
import { hasChromium, openPage } from './chromium.ts'

it.runIf(hasChromium && isNight)(
  'calls the API from a page of another origin that may',
  async () => {
    const origin = await pageWithClient()
    const server = await serve({ env: { LINNET_CORS_ORIGINS: origin } })
    const page = await openPage()
    await page.goto(origin)
    const seen = await page.evaluate(`tried(${JSON.stringify({ url: server.url, token })})`)
    expect(seen).toEqual(expected)
  },
)

const html = `<script type="module">
  import * as client from '/dist/client.js'
  import { tryClient } from '/test/smoke/try-client.mjs'
  globalThis.tried = options => tryClient(client, options)
</script>`

/** The origin of a page that has the client, as others publish one. */
async function pageWithClient(): Promise<string> {
  const pages = createServer(({ url = '/' }, answer) => {
    if (url === '/') answer.setHeader('content-type', 'text/html').end(html)
    else if (!/\.m?js$/.test(url)) answer.writeHead(404).end()
    else answer.setHeader('content-type', 'text/javascript').end(readFileSync(join(root, url)))
  })
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  onTestFinished(() => {
    pages.closeAllConnections()
    pages.close()
  })
  return `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
}
