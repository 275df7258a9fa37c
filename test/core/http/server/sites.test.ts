import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { inject } from 'light-my-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Handler, splitPaths } from '../../../../core/http/request/split-paths.ts'
import { siteMounts } from '../../../../core/http/server/sites.ts'
import { definePlugin, type Plugin } from '../../../../core/plugin.ts'
import { pageSender } from '../serve.ts'

const script = 'console.log("here")'
let folder: string
let warnings: string[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-site-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Shop</title>')
  writeFileSync(join(folder, 'assets/app-1a2b.js'), script)
  writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(script))
  writeFileSync(join(folder, '.secret'), 'not for you')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A plugin with a site at a path, its files in `files` of the folder. */
function plugin(path: string, files = './', home?: true): Plugin {
  return definePlugin({
    feature: `shop.${path}`,
    about: 'Sell things to visitors.',
    site: { path, folder: new URL(files, pathToFileURL(join(folder, '/'))), ...(home && { home }) },
  })
}

function handlerOf(...plugins: Plugin[]): Handler {
  warnings = []
  const note = (message: string) => void warnings.push(message)
  const log = { info: note, warn: note, error: note }
  const { mounts, home } = siteMounts(plugins, { log, pageSender })
  const follow: Handler = (req, res) =>
    /^\/(\?|$)/.test(req.url ?? '') && home ? home(req, res) : void res.end('followed')
  return splitPaths(follow, mounts)
}

function serve(...plugins: Plugin[]) {
  const handle = handlerOf(...plugins)
  return (
    url: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'POST' | 'HEAD' = 'GET',
  ) =>
    inject((req, res) => void handle(req as IncomingMessage, res as unknown as ServerResponse), {
      url,
      headers,
      method,
    })
}

describe('a site', () => {
  it.each(['/shop', '/shop/', '/shop/index.html', '/shop/basket/7', '/shop?from=mail'])(
    'answers %s with its page, which is asked for again each time',
    async url => {
      const { statusCode, headers, payload } = await serve(plugin('shop'))(url)
      expect({ statusCode, payload }).toEqual({
        statusCode: 200,
        payload: '<!doctype html><title>Shop</title>',
      })
      expect(headers).toMatchObject({
        'content-type': 'text/html;charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
    },
  )

  it('lets only what is its own load, and nothing inline', async () => {
    const { headers } = await serve(plugin('shop'))('/shop/')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; frame-src 'self'; frame-ancestors 'self'; " +
        "base-uri 'none'; form-action 'self'",
    )
  })

  it('has its assets kept for good, and sends them compressed to who takes that', async () => {
    const get = serve(plugin('shop'))
    const plain = await get('/shop/assets/app-1a2b.js')
    expect(plain.payload).toBe(script)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const small = await get('/shop/assets/app-1a2b.js', { 'accept-encoding': 'gzip' })
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(small.rawPayload).toEqual(gzipSync(script))
  })

  it('says when nothing has changed', async () => {
    const get = serve(plugin('shop'))
    const { headers } = await get('/shop/')
    const again = await get('/shop/', { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
  })

  it.each([
    '/shop/assets/gone-3c4d.js',
    '/shop/../package.json',
    '/shop/%2e%2e/package.json',
    '/shop/..%2fpackage.json',
    '/shop/.secret',
  ])('has nothing but its files at %s', async url => {
    const { payload } = await serve(plugin('shop'))(url)
    expect(payload).not.toMatch(/not for you|devDependencies/)
  })

  it('answers an asset that is not there with 404, and does not let that be kept', async () => {
    for (const path of ['gone-3c4d.js', 'gone', '', 'a/b', 'gone?v=1.2']) {
      const { statusCode, headers } = await serve(plugin('shop'))(`/shop/assets/${path}`)
      expect([path, statusCode]).toEqual([path, 404])
      expect(headers['cache-control']).toBe('private, no-store')
    }
  })

  it('is there to be read and for nothing else', async () => {
    const { statusCode, headers } = await serve(plugin('shop'))('/shop/', {}, 'POST')
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it.each(['before', 'while'])(
    'closes the file of a client that leaves %s it is opened',
    async leaves => {
      const handle = handlerOf(plugin('shop'))
      const files: Readable[] = []
      const server = createServer(async (req, res) => {
        res.once('pipe', file => files.push(file))
        const closed = once(res, 'close')
        if (leaves === 'before') {
          req.socket.destroy()
          await closed
        }
        void handle(req, res)
        req.socket.destroy()
        await closed
        setImmediate(() => server.close())
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
      client.write('GET /shop/ HTTP/1.1\r\nHost: a\r\n\r\n')
      await once(server, 'close')
      expect(files.map(({ destroyed }) => destroyed)).toEqual([true])
    },
  )

  it('leaves every other path to short links', async () => {
    const get = serve(plugin('shop'))
    for (const url of ['/', '/shopping', '/Shop', '//shop', '/sho']) {
      expect((await get(url)).payload).toBe('followed')
    }
  })

  it('is left out with a warning while its files are not built', async () => {
    const get = serve(plugin('shop', './nowhere/', true))
    expect((await get('/shop/')).payload).toBe('followed')
    expect((await get('/')).payload).toBe('followed')
    expect(warnings).toEqual([expect.stringMatching(/^shop\.shop has no index\.html in .+nowhere/)])
  })
})

describe('the bare address', () => {
  it.each(['/', '/?utm_source=card'])('%s leads to the first site that claims it', async url => {
    const get = serve(plugin('blog'), plugin('shop', './', true), plugin('news', './', true))
    const { statusCode, headers } = await get(url)
    expect([statusCode, headers.location]).toEqual([302, '/shop/'])
    expect(headers['cache-control']).toBe('no-store')
  })
})
