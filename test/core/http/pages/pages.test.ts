import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { themeOf } from '../../../../core/http/pages/page-theme.ts'
import {
  askPage,
  failedPage,
  methodNotAllowedPage,
  notFoundPage,
  refusedPage,
  render,
  type Sheet,
  sheetOf,
  unavailablePage,
  type VisitorPage,
} from '../../../../core/http/pages/pages.ts'
import { ask, refuse } from '../../../../core/plugin/outcomes.ts'
import { pageSender, serve } from '../serve.ts'

const password = { name: 'password', label: 'Password', type: 'password' } as const

const plain = themeOf({ name: null, color: null, logo: null }, 'https://go.example')
const htmlOf = (sheet: Sheet) => render(sheet, plain)

/** The answer that shows a page. */
async function show(page: VisitorPage, init: RequestInit = {}) {
  const { call } = await serve([], {
    follow: (req, res) => pageSender.page(req, res, page, 'req_1'),
  })
  return call('/code', init)
}

describe('a page', () => {
  test.each([
    [notFoundPage, 404, 'No link here'],
    [refusedPage(refuse('not_started', 'It opens later.', 404)), 404, 'Too early'],
    [refusedPage(refuse('link_expired', 'It ended.', 410)), 410, 'No longer available'],
    [refusedPage(refuse('guard_failed', 'Later.', 503)), 503, 'Not right now'],
    [refusedPage(refuse('blocked', 'Malware.', 451)), 451, 'This link is blocked'],
    [methodNotAllowedPage, 405, 'This does not work here'],
    [failedPage, 500, 'Something went wrong'],
    [unavailablePage, 503, 'Not right now'],
    [askPage(ask('This link is protected', [password]), 'p'), 403, 'This link is protected'],
  ])('has a status and a heading of its own', async (page, status, heading) => {
    const answer = await show(page)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await answer.text()
    expect(html).toContain(`<h1>${heading}</h1>`)
    expect(html).toContain(`<title>${heading}</title>`)
    expect(html).toContain('<html lang="en">')
  })

  test('allows its own style and nothing else, and stays between us and the visitor', async () => {
    const answer = await show(notFoundPage)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(await answer.text()) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'req_1',
      vary: 'Accept, Accept-Language',
    })
  })

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    '</style><svg onload=alert(1)>',
    '&lt;script&gt;',
  ])('shows %s as text wherever it comes from', async evil => {
    const input = { name: evil, label: evil, type: evil as 'text' }
    const pages = [
      refusedPage(refuse(evil, evil, 403)),
      askPage(ask(evil, [input], evil), evil),
      askPage(ask(evil, [input]), evil),
      sheetOf({
        kind: 'page',
        heading: evil,
        rows: [{ label: evil, value: evil }],
        link: { label: evil, url: evil },
      }),
    ]
    const theme = themeOf({ name: evil, color: null, logo: null }, 'https://go.example')
    for (const html of pages.map(page => render(page, theme))) {
      expect(html).not.toContain(evil)
      const tags = html.replace(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? []
      expect(tags.filter(tag => /script|img|\bon\w+=|'/.test(tag))).toEqual([])
    }
  })
})

describe('a page that may be another in a minute', () => {
  test.each([
    [429, true],
    [500, true],
    [503, true],
    [404, false],
    [410, false],
    [451, false],
  ])('with %i has a way to try again: %s', (status, isThere) => {
    const html = htmlOf(refusedPage(refuse('over', 'Over.', status)))
    expect(html.includes('<a class="again" href="">Try again</a>')).toBe(isThere)
  })
})

describe('a page about a link', () => {
  test.each([
    ['https://example.com/', false],
    [`https://example.com/${'x'.repeat(2_000)}`, true],
  ])('lets the keyboard scroll what is long', (value, isLong) => {
    const html = htmlOf(
      sheetOf({
        kind: 'page',
        heading: 'Where this link leads',
        rows: [{ label: 'Leads to', value }],
        link: { label: 'Go', url: value },
      }),
    )
    expect(html.includes('<dd class="long" tabindex="0">')).toBe(isLong)
    expect(html).toContain(`<a class="on" href="${value}" rel="noreferrer">Go</a>`)
  })
})

describe('an asking page', () => {
  const page = (problem?: string) =>
    askPage(ask('This link is protected', [password], problem), 'a.b')

  test('posts to its own address and carries the pass', () => {
    const html = htmlOf(page())
    expect(html).toContain('<form method="post">')
    expect(html).toContain('<input type="hidden" name="pass" value="a.b">')
    expect(html).toMatch(/<label>Password<input name="password" type="password"[^>]* required/)
  })

  test('tells a problem, also to who cannot see it', () => {
    const html = htmlOf(page('The password is wrong.'))
    expect(html).toContain(
      '<p class="problem" id="problem" role="alert">The password is wrong.</p>',
    )
    expect(html).toMatch(
      /<input name="password"[^>]* aria-invalid="true" aria-describedby="problem">/,
    )
    expect(htmlOf(page())).not.toContain('aria-describedby')
  })

  test('lets browsers fill in what is the visitor’s own, and no password', () => {
    const inputs = [
      { name: 'name', label: 'Your name', type: 'text' },
      { name: 'email', label: 'Your address', type: 'email' },
      password,
    ] as const
    const fields = htmlOf(askPage(ask('Who are you?', inputs), 'p')).match(/<input name[^>]*>/g)
    expect(fields?.map(field => /autocomplete="(\w+)"/.exec(field)?.[1])).toEqual([
      'on',
      'email',
      'off',
    ])
    expect(fields?.map(field => field.includes(' autofocus'))).toEqual([true, false, false])
  })

  test('is a page to click through when it has no inputs', async () => {
    const through = askPage(ask('You are leaving', []), 'p')
    expect(htmlOf(through)).toContain('<button type="submit" name="continue" value="yes">')
    expect(htmlOf(through)).not.toMatch(/<label|autofocus/)
    expect(through.refusal.errors).toEqual([
      { field: 'continue', code: 'required', message: 'Say yes.' },
    ])
  })

  test('tells a program what to answer', async () => {
    const answer = await show(page(), { headers: { accept: 'application/json' } })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({
      code: 'answer_needed',
      detail: 'This link is protected.',
      errors: [{ field: 'password', code: 'required', message: 'Password.' }],
    })
  })
})

describe('the form of the answer', () => {
  test.each([
    [undefined, 'html'],
    ['*/*', 'html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
    ['application/json, text/html', 'html'],
    ['application/json;q=0.5, text/html', 'html'],
    ['application/json;q=0', 'html'],
    ['image/png', 'html'],
    ['application/jsonlines', 'html'],
    ['application/json', 'json'],
    ['Application/Problem+JSON', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['text/html;q=0.5, application/json;q=0.9', 'json'],
  ])('for "%s" is %s', async (accept, form) => {
    const answer = await show(notFoundPage, accept === undefined ? {} : { headers: { accept } })
    const type = form === 'json' ? 'application/problem+json' : 'text/html; charset=utf-8'
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  test('says how long to wait in either', async () => {
    const wait = refuse('too_many_attempts', 'Wait.', 429, undefined, { retryAfterSeconds: 60 })
    for (const accept of ['text/html', 'application/json']) {
      const answer = await show(refusedPage(wait), { headers: { accept } })
      expect(answer.headers.get('retry-after')).toBe('60')
    }
  })
})
