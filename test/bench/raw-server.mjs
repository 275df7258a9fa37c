import { createHook } from 'node:async_hooks'
import { createServer } from 'node:http'
import { codeOf, urlOf } from './links.mjs'

/** The minimal link shortener in Node: a Map, and a 302 with the same headers as ours. */
const [, , links, how] = process.argv
if (how === 'keep-ticks-fast') keepTicksFast()

/** As long as the page of an unknown code, and with its headers. */
const page = Buffer.from('<!doctype html>'.padEnd(3_767))
const unknown =
  how === 'with a page'
    ? { body: page, headers: pageHeaders() }
    : { body: undefined, headers: ['Content-Length', '0'] }

const redirects = new Map()
for (let number = 0; number < Number(links); number += 1) {
  redirects.set(codeOf(number), [
    ...['Location', urlOf(number)],
    ...['Cache-Control', 'private, no-store'],
    ...['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ...['X-Robots-Tag', 'noindex'],
    ...['Content-Length', '0'],
  ])
}

const server = createServer((request, response) => {
  const headers = redirects.get(request.url.slice(1))
  if (headers) response.writeHead(302, headers).end()
  else response.writeHead(404, unknown.headers).end(unknown.body)
}).listen(0, '127.0.0.1', () => console.log(`listening on port ${server.address().port}`))

function pageHeaders() {
  return [
    ...['Content-Type', 'text/html; charset=utf-8'],
    ...['Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Cache-Control', 'private, no-store'],
    ...['Referrer-Policy', 'no-referrer'],
    ...['X-Robots-Tag', 'noindex'],
    ...['Vary', 'Accept, Accept-Language'],
    ...['Content-Length', String(page.length)],
  ]
}

/** Does what `core/cli/keep-ticks-fast.ts`, which explains it, does for Linnet. */
function keepTicksFast() {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') globalThis.keptTick ??= resource
    },
  }).enable()
  process.nextTick(() => undefined)
  hook.disable()
}
