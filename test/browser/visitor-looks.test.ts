import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { themeOf } from '../../core/http/pages/page-theme.ts'
import {
  askPage,
  failedPage,
  methodNotAllowedPage,
  notFoundPage,
  refusedPage,
} from '../../core/http/pages/pages.ts'
import { createPageSender } from '../../core/http/pages/send-page.ts'
import { serveLogo } from '../../core/http/server/serve-logo.ts'
import { ask, refuse } from '../../core/plugin/outcomes.ts'
import { dataUri, png } from '../core/http/logos.ts'
import { serve } from '../core/http/serve.ts'
import { hasChromium, openPage } from './chromium.ts'
import { expectAccessible, expectToFit } from './dashboard/dashboard.ts'

const password = { name: 'password', label: 'Password', type: 'password' } as const
const address = { name: 'email', label: 'Your e-mail address', type: 'email' } as const
const long = `https://example.com/${'a-long-path/'.repeat(60)}`
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><script>document.title="ran"</script><rect width="80" height="40" fill="#0a7cff"/></svg>'

const pages = [
  askPage(ask('This link is protected', [password]), 'p'),
  askPage(ask('This link is protected', [password], 'The password is wrong.'), 'p'),
  askPage(ask('Who is asking?', [address, password]), 'p'),
  refusedPage(refuse('too_many_attempts', 'Try again in a minute.', 429)),
  refusedPage(refuse('not_started', 'It opens later.', 404)),
  refusedPage(refuse('expired', 'That time has passed.', 410)),
  refusedPage(refuse('blocked', 'It leads to a site that is known for malware.', 451)),
  refusedPage(refuse('unavailable', 'Try again later.', 503)),
  notFoundPage,
  methodNotAllowedPage,
  failedPage,
]
const view = {
  kind: 'page',
  heading: 'Where this link leads',
  text: 'It was made by somebody whom you may not know.',
  image: { src: dataUri('image/png', png), alt: 'A picture of it' },
  rows: [{ label: 'Leads to', value: long }],
  link: { label: 'Go to example.com', url: long },
} as const

const brands = {
  nobody: { name: null, color: null, logo: null },
  'a bright brand': { name: 'Acme', color: '#ffd400', logo: dataUri('image/svg+xml', svg) },
  'a dark brand': { name: 'Acme & Sons, since 1871', color: '#14002e', logo: null },
}

/** Serves every page by its number, and the page about a link last. */
async function servePages(brand: keyof typeof brands) {
  const theme = { current: themeOf(brands[brand], '') }
  const sender = createPageSender(() => theme.current)
  const logo = serveLogo(sender)
  const { port } = await serve([], {
    follow(req, res) {
      if (req.url?.startsWith('/assets/')) return logo(req, res)
      const page = pages[Number(req.url?.slice(1))]
      if (page) sender.page(req, res, page, 'req_1')
      else sender.shown(req, res, view)
    },
  })
  const origin = `http://127.0.0.1:${port}`
  theme.current = themeOf(brands[brand], origin)
  return { origin, logoPath: theme.current.logo?.path }
}

/** Records all requests of a page and all complaints of the browser. */
function watch(page: Page) {
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', request => requests.push(new URL(request.url()).origin))
  page.on('console', message => {
    // These pages are refusals, so that complaint is expected.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  return { requests, complaints }
}

const focused = 'document.activeElement.name || document.activeElement.className'

describe.skipIf(!hasChromium)('the pages of', () => {
  it.each(Object.keys(brands) as (keyof typeof brands)[])(
    '%s are in reach for everybody, in light and dark',
    async brand => {
      const { origin } = await servePages(brand)
      const page = await openPage({ viewport: { width: 360, height: 640 } })
      const { requests, complaints } = watch(page)
      for (const number of [...pages.keys(), pages.length]) {
        await page.goto(`${origin}/${number}`)
        await expectAccessible(page)
        await expectToFit(page)
      }
      expect(new Set(requests.filter(it => it !== 'null'))).toEqual(new Set([origin]))
      expect(complaints).toEqual([])
    },
  )
})

describe.skipIf(!hasChromium)('with the keyboard', () => {
  it('a form is filled in from its first field to its button', async () => {
    const { origin } = await servePages('nobody')
    const page = await openPage()
    await page.goto(`${origin}/2`)
    const passed = [await page.evaluate(focused)]
    for (let tabs = 0; tabs < 2; tabs++) {
      await page.keyboard.press('Tab')
      passed.push(await page.evaluate(focused))
    }
    expect(passed).toEqual(['email', 'password', 'continue'])
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Continue')
  })

  it('what is long is scrolled, and then comes the way on', async () => {
    const { origin } = await servePages('nobody')
    const page = await openPage()
    await page.goto(`${origin}/${pages.length}`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(focused)).toBe('long')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(focused)).toBe('on')
  })
})

describe.skipIf(!hasChromium)('the logo', () => {
  it('shows on a page, and runs nothing when it is opened by itself', async () => {
    const { origin, logoPath } = await servePages('a bright brand')
    const page = await openPage()
    await page.goto(`${origin}/3`)
    expect(await page.evaluate('document.querySelector("header img").naturalWidth')).toBe(80)
    await page.goto(`${origin}${logoPath}`)
    expect(await page.evaluate('document.querySelectorAll("rect").length')).toBe(1)
    expect(await page.title()).not.toBe('ran')
  })

  it('would run what is in it without its headers', async () => {
    const { port } = await serve([], {
      follow: (_, res) => void res.setHeader('content-type', 'image/svg+xml').end(svg),
    })
    const page = await openPage()
    await page.goto(`http://127.0.0.1:${port}/logo.svg`)
    expect(await page.evaluate('document.title')).toBe('ran')
  })
})
