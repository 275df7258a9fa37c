import { createHash, createHmac, randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { root, temporaryFolder } from './program.ts'
import { type Server, serve, token } from './server.ts'

const secret = 'shared with GitHub'
const mebibyte = 1024 * 1024

/** Says what was sent to it. */
const uploads = `
  import { createHash } from 'node:crypto'
  import { definePlugin, file } from 'linnet/plugin'
  const hash = bytes => createHash('sha256').update(bytes).digest('hex')
  export default definePlugin({
    feature: 'custom.uploads',
    about: 'Say what was sent.',
    mounts: {
      uploads: {
        bodies: ['multipart', 'bytes'],
        maxBytes: 8 * ${mebibyte},
        handle: ({ input, uploads, bytes }) =>
          file('application/json', JSON.stringify({
            input,
            uploads: uploads.map(({ content, ...it }) => ({ ...it, hash: hash(content) })),
            hash: hash(bytes),
          }), 0),
      },
    },
  })`

let server: Server
async function serveMounts() {
  const dataDir = temporaryFolder()
  const plugins = join(dataDir, 'plugins')
  mkdirSync(plugins)
  for (const name of ['yourls.ts', 'release-links.ts'])
    cpSync(join(root, 'examples', name), join(plugins, name))
  writeFileSync(join(plugins, 'uploads.js'), uploads)
  const env = { RELEASES_SECRET: secret, RELEASES_TOKEN: token }
  server = await serve({ dataDir, env })
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function post(path: string, body: FormData | Uint8Array<ArrayBuffer> | string, headers = {}) {
  const answer = await fetch(`${server.url}/${path}`, { method: 'POST', body, headers })
  return { status: answer.status, text: await answer.text() }
}

const linksTo = async (url: string) =>
  (await server.api('GET', `/links?search=${encodeURIComponent(url)}`)).body.data

describe('a mount of a running server', () => {
  itAtNight('is given the files of a form, whatever is in them', async () => {
    await serveMounts()
    const content = randomBytes(5 * mebibyte)
    const form = new FormData()
    form.set('title', 'Spring')
    form.set('picture', new File([content], 'späring.png', { type: 'image/png' }))
    const { status, text } = await post('uploads', form)
    expect(status).toBe(200)
    const picture = { field: 'picture', name: 'späring.png', type: 'image/png' }
    expect(JSON.parse(text)).toMatchObject({
      input: { title: 'Spring' },
      uploads: [{ ...picture, hash: hash(content) }],
    })
  })

  itAtNight('is given bytes as they were sent, up to its limit', async () => {
    await serveMounts()
    const bytes = randomBytes(8 * mebibyte)
    expect(JSON.parse((await post('uploads', bytes)).text).hash).toBe(hash(bytes))
    // Larger ones are refused while they are sent, so the client may see the connection end.
    const large = await post('uploads', randomBytes(9 * mebibyte)).catch(() => ({ status: 413 }))
    expect(large.status).toBe(413)
    expect((await server.get('/health/ready')).status).toBe(200)
  })

  it('checks a signature over what was sent', async () => {
    await serveMounts()
    const url = 'https://github.com/ada/engine/releases/tag/v1.0'
    const release = { id: 7, html_url: url, name: 'Möwe', tag_name: 'v1.0' }
    // As it stands, with its spaces: parsed and written again, it would be other bytes.
    const body = JSON.stringify({ action: 'published', release }, null, 3)
    const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
    const ask = (sent: string, signed: string) =>
      post('github-releases', sent, {
        'content-type': 'application/json',
        'x-github-event': 'release',
        'x-hub-signature-256': `sha256=${sign(signed)}`,
      })
    expect((await ask(body, `${body} `)).status).toBe(401)
    expect(await linksTo(url)).toEqual([])
    const made = await ask(body, body)
    expect(made.status).toBe(201)
    expect(await linksTo(url)).toMatchObject([
      { originalUrl: url, title: 'Möwe', shortUrl: made.text },
    ])
  })

  itAtNight(
    'serves clients of YOURLS, by their own forms, and says refusals in their way',
    async () => {
      await serveMounts()
      const far = 'https://example.org/yourls'
      const asked = {
        signature: token,
        action: 'shorturl',
        url: far,
        keyword: 'far',
        format: 'json',
      }
      const query = new URLSearchParams(asked)
      const made = await server.get(`/yourls-api.php?${query}`)
      expect(made.body).toMatchObject({ status: 'success', shorturl: `${server.url}/far` })
      expect((await server.get('/far')).headers.get('location')).toBe(far)

      const form = new FormData()
      for (const [name, value] of Object.entries(asked)) form.set(name, value)
      const again = await post('yourls-api.php', form)
      expect(again.status).toBe(400)
      expect(JSON.parse(again.text)).toMatchObject({ status: 'fail', code: 'error:keyword' })

      form.set('signature', 'wrong')
      expect(JSON.parse((await post('yourls-api.php', form)).text).statusCode).toBe('403')

      const expanded = await server.get(
        `/yourls-api.php?${new URLSearchParams({ signature: token, action: 'expand', shorturl: 'far', format: 'simple' })}`,
      )
      expect(expanded.text).toBe(far)

      const counts = { signature: token, action: 'url-stats', shorturl: 'far', format: 'json' }
      const read = () => server.get(`/yourls-api.php?${new URLSearchParams(counts)}`)
      // Visits are counted a moment later.
      await expect.poll(async () => (await read()).text).toContain('"clicks":"1"')
    },
  )
})
