import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { definePlugin, endpoint, isRefusal, notFound, refuse, z } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

const plugin = definePlugin({
  feature: 'test.files',
  about: 'Keep a file.',
  endpoints: {
    'PUT /files/:name/content': endpoint({
      summary: 'Send a file',
      scope: 'links:write',
      answer: z.strictObject({ data: z.strictObject({ bytes: z.int() }) }),
      unstable: {
        file: {
          accept({ params }) {
            if (params.name === 'nothing') return undefined
            if (params.name === 'closed') return refuse('not_now', 'Not now.', 409)
            return 1_000_000
          },
        },
      },
      async handle({ params: { name = '' }, file }, { unstable }) {
        if (!file) return notFound
        if (name === 'refused') return refuse('not_now', 'Not now.', 409)
        await rename(file.path, unstable.files.pathOf(name))
        return { data: { bytes: file.bytes } }
      },
    }),
  },
})

let linnet: Harness
let filesFolder: string
beforeEach(async () => {
  filesFolder = mkdtempSync(join(tmpdir(), 'linnet-files-'))
  linnet = await boot([plugin, 'developer.apiKeys'], { filesFolder })
})
afterEach(async () => {
  await linnet.stop()
  rmSync(filesFolder, { recursive: true })
})

const put = (name: string, content: Buffer) =>
  linnet.api('PUT', `/files/${name}/content`, content, {
    'content-type': 'application/octet-stream',
  })
const kept = () => readdirSync(join(filesFolder, 'test.files'))

it('an endpoint takes a file, and keeps it where it renames it to', async () => {
  const content = Buffer.alloc(900_000, 'line of a dump\n')
  expect(await put('dump.sql', content)).toMatchObject({
    status: 200,
    body: { data: { bytes: 900_000 } },
  })
  expect(readFileSync(join(filesFolder, 'test.files', 'dump.sql')).equals(content)).toBe(true)
  expect(kept()).toEqual(['dump.sql'])
})

it('a file that the endpoint refuses, before or after it came, or that is too large, leaves nothing', async () => {
  expect((await put('nothing', Buffer.alloc(10))).status).toBe(404)
  expect((await put('closed', Buffer.alloc(10))).body.code).toBe('not_now')
  expect((await put('refused', Buffer.alloc(10))).body.code).toBe('not_now')
  expect(await put('large', Buffer.alloc(1_000_001))).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large', detail: 'The file is larger than 1000000 bytes.' },
  })
  expect(kept()).toEqual([])
})

it('a client that leaves half way leaves nothing, and one file of an account comes at a time', async () => {
  const port = await linnet.app.server.listen(0, '127.0.0.1')

  const token = await makeToken()
  const sending = request({
    ...{ port, host: '127.0.0.1', method: 'PUT', path: '/api/v1/files/half/content' },
    headers: {
      host: 'go.example.org',
      authorization: `Bearer ${token}`,
      'content-length': 500_000,
    },
  })
  sending.on('error', () => undefined)
  sending.write(Buffer.alloc(100_000))
  await expect.poll(() => readdirSync(filesFolder).length && kept().length).toBe(1)
  expect((await put('second', Buffer.alloc(10))).body.code).toBe('file_under_way')
  sending.destroy()
  await expect.poll(kept).toEqual([])
  expect((await put('second', Buffer.alloc(10))).status).toBe(200)
})

async function makeToken(): Promise<string> {
  const made = await linnet.api('POST', '/api-tokens', { name: 'CI', scopes: ['links:write'] })
  if (made.status === 201) return made.body.data.token
  throw new Error(`${isRefusal(made)}${JSON.stringify(made.body)}`)
}

it('the description of the API says that it takes a file', async () => {
  const { body } = await linnet.api('GET', '/openapi.json')
  const { requestBody, operationId, parameters } = body.paths['/api/v1/files/{name}/content'].put
  expect(requestBody.content).toEqual({
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
  })
  expect(operationId).toBe('files.content.replace')
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['name'])
})
