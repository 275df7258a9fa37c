import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { themeOf } from '../../../../core/http/pages/page-theme.ts'
import { notFoundPage } from '../../../../core/http/pages/pages.ts'
import { createPageSender } from '../../../../core/http/pages/send-page.ts'
import { readyResponse, setHeaders } from '../../../../core/links/follow/ready-response.ts'

const brand = { name: 'Zoë’s', color: null, logo: null }
const base = 'https://go.example'
const headers = ['Strict-Transport-Security', 'max-age=31536000']
let theme = themeOf(brand, base)
beforeEach(() => {
  theme = themeOf(brand, base)
})

const sender = createPageSender(() => theme)
const ready = sender.readyPage(notFoundPage, headers)

/** A server whose answers to `/ready` are ready, and whose others are made anew. */
async function serve(): Promise<number> {
  const server = createServer({ ServerResponse: readyResponse(75_000) }, (req, res) => {
    if (req.url === '/ready') return ready(req, res)
    setHeaders(res, headers)
    sender.page(req, res, notFoundPage)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** All that an answer says but when, and with a name of its own. */
async function answer(port: number, path: string, asked: Asked) {
  const request = get({ port, path, ...asked })
  const [res] = await once(request, 'response')
  const { date: _, 'keep-alive': __, ...rest } = res.headers
  const id = String(rest['x-request-id'])
  const headers = { ...rest, 'x-request-id': id.replace(uuid, 'a UUID') }
  return { status: res.statusCode, headers, body: (await text(res)).replaceAll(id, 'a UUID') }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

const kept = { connection: 'keep-alive' }

describe('a page that is ready', () => {
  it.each<[string, Asked]>([
    ['to a browser', { headers: { accept: 'text/html,*/*;q=0.8', connection: 'keep-alive' } }],
    ['to a browser in German', { headers: { 'accept-language': 'de-AT,de;q=0.9', ...kept } }],
    ['to one in Spanish', { headers: { 'accept-language': 'ja, es;q=0.5', ...kept } }],
    ['to HEAD', { method: 'HEAD', headers: { connection: 'keep-alive' } }],
    ['to a program', { headers: { accept: 'application/json', connection: 'keep-alive' } }],
    ['on a connection that ends', { headers: { connection: 'close' } }],
  ])('says what it would say if it were made anew %s', async (_, asked) => {
    const port = await serve()
    const anew = await answer(port, '/anew', asked)
    expect(await answer(port, '/ready', asked)).toEqual(anew)
    expect(anew).toMatchObject({
      status: 404,
      headers: { 'x-request-id': 'a UUID', 'strict-transport-security': 'max-age=31536000' },
    })
  })

  it('is in the language of each visitor, whoever asked before', async () => {
    const port = await serve()
    const said = async (language: string) => {
      const { body } = await answer(port, '/ready', { headers: { 'accept-language': language } })
      return /<html lang="(\w+)">[\s\S]*<h1>(.*)<\/h1>/.exec(body)?.slice(1)
    }
    const german = ['de', 'Hier ist kein Link']
    expect([await said('de'), await said('fr'), await said('de')]).toEqual([
      german,
      ['fr', 'Aucun lien ici'],
      german,
    ])
  })

  it('looks as the brand is now', async () => {
    const port = await serve()
    expect((await answer(port, '/ready', {})).body).toContain('<header>Zoë’s</header>')
    theme = themeOf({ ...brand, name: 'Øystein’s' }, base)
    expect((await answer(port, '/ready', {})).body).toContain('<header>Øystein’s</header>')
  })
})
