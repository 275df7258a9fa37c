import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { expectVisits } from '../e2e/counted.ts'
import { folderWithFixtures } from '../e2e/plugins-folder.ts'
import { createLink, serve, browser as userAgent } from '../e2e/server.ts'
import { hasChromium, openPage } from './chromium.ts'
import { startLinnet } from './linnet.ts'

describe.skipIf(!hasChromium)('a visitor with a browser', () => {
  it('opens a link with a password and arrives where it leads', async () => {
    const target = await targetServer()
    const server = await serve()
    const original_url = `${target.url}/welcome?a=b`
    const { id, shortCode } = await createLink(server, { original_url, password: 'sesame' })
    const { page } = await openNearby()

    const asked = await page.goto(`${server.url}/${shortCode}?from=mail`)
    expect(asked?.status()).toBe(403)
    expect(await page.content()).not.toContain(target.url)
    await answer(page, 'Password', 'open sesame')
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('The password is wrong.')
    expect(target.requests).toEqual([])

    await answer(page, 'Password', 'sesame')
    await page.waitForURL(original_url)
    expect(await page.textContent('body')).toBe('You have arrived.')
    expect(target.requests).toContainEqual({ method: 'GET', url: '/welcome?a=b', body: '' })
    await expectVisits(server, id, 1)
    const { body } = await server.api('GET', `/links/${id}/analytics?interval=all`)
    expect(body.data.visitsByBrowser).toMatchObject([{ visits: 1 }])
  })

  it('sees where a link leads before leaving, also after its password, and arrives by the button', async () => {
    const target = await targetServer()
    const server = await startLinnet()
    const original_url = `${target.url}/welcome?a=b`
    const { id, shortCode } = await createLink(server, {
      ...{ original_url, password: 'sesame', confirm: true },
    })
    const { page } = await openNearby()
    await page.goto(`${server.url}/${shortCode}`)
    await answer(page, 'Password', 'sesame')
    await page
      .getByRole('heading', { name: `This link leads to ${new URL(target.url).host}` })
      .waitFor()
    expect(await page.getByRole('definition').last().textContent()).toBe(original_url)
    expect(target.requests).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(original_url)
    expect(await page.textContent('body')).toBe('You have arrived.')
    await expectVisits(server, id, 1)
  })

  it('is led to a mail address, also by the form of a password', async () => {
    const server = await startLinnet({ targetSchemes: ['mailto'] })
    const original_url = 'mailto:ada@example.org?subject=Hello'
    const { shortCode } = await createLink(server, { original_url, password: 'sesame' })
    // A route of its own would hide where a redirect fails.
    const page = await openPage({ userAgent })
    await page.goto(`${server.url}/${shortCode}`)
    // Chromium hands it to another program, and a policy that does not allow it would block the form.
    const led = page.waitForEvent('requestfailed')
    await answer(page, 'Password', 'sesame')
    expect((await led).url()).toBe(original_url)
  })

  it('is led on by a page that leads to an app, after the form of a password', async () => {
    const app = 'myapp://open/spring'
    const elsewhere = createServer((_, res) => res.writeHead(302, { location: app }).end())
    await new Promise<void>(done => elsewhere.listen(0, '127.0.0.1', done))
    const original_url = `http://localhost:${(elsewhere.address() as AddressInfo).port}/`
    const server = await startLinnet()
    const { shortCode } = await createLink(server, { original_url, password: 'sesame' })
    const page = await openPage({ userAgent })
    await page.goto(`${server.url}/${shortCode}`)
    const led = page.waitForEvent('requestfailed')
    await answer(page, 'Password', 'sesame')
    expect((await led).url()).toBe(app)
    elsewhere.close()
  })

  itAtNight('runs nothing and calls nobody, whatever a plugin makes the page say', async () => {
    const server = await serve({ dataDir: folderWithFixtures('hostile-plugin.ts') })
    const { shortCode } = await createLink(server, { original_url: 'https://example.com/hostile' })
    const { page, requests } = await openNearby()

    await page.goto(`${server.url}/${shortCode}`)
    const heading = page.getByRole('heading')
    expect(await heading.textContent()).toContain('<script>')
    expect(await page.getByRole('alert').textContent()).toContain('<img src=')
    expect(await page.locator('script, img').count()).toBe(0)

    await page.getByRole('textbox').fill('anything')
    await page.getByRole('button').click()
    await expect.poll(() => heading.textContent()).toBe('This link is closed to you')
    expect(await page.locator('p').textContent()).toContain('<script>')
    expect(await page.locator('script, img').count()).toBe(0)
    expect(await page.title()).toBe('This link is closed to you')
    expect(new Set(requests.map(url => new URL(url).origin))).toEqual(new Set([server.url]))
  })

  it('would be attacked by a page that does not hold its words apart from its markup', async () => {
    const { page, requests } = await openNearby()
    await page.setContent(
      '<img src="https://elsewhere.invalid/"><script>document.title="ran"</script>',
    )
    await expect.poll(() => page.title()).toBe('ran')
    expect(requests).toContain('https://elsewhere.invalid/')
  })
})

async function answer(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).fill(text)
  await page.getByRole('button').click()
}

/** A page that reaches only this machine, and its requests. */
async function openNearby() {
  // Without a window Chromium calls itself headless and counts as a robot.
  const page = await openPage({ userAgent })
  const requests: string[] = []
  await page.route('**/*', route => {
    const url = route.request().url()
    if (url.startsWith('http')) requests.push(url)
    return new URL(url).hostname === '127.0.0.1' ? route.continue() : route.abort()
  })
  return { page, requests }
}

/** A server for links to lead to; it records its visitors. */
async function targetServer() {
  const requests: { method: string; url: string; body: string }[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    requests.push({ method: req.method ?? '', url: req.url ?? '', body })
    res.setHeader('content-type', 'text/html').end('You have arrived.')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
