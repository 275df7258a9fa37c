import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ShlinkApiClient } from '@shlinkio/shlink-js-sdk'
import { NodeHttpClient } from '@shlinkio/shlink-js-sdk/node'
import Kutt from 'kutt'
import { describe, expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { root } from './program.ts'
import { type Server, serve, token } from './server.ts'

const run = promisify(execFile)

async function serveDoors(): Promise<Server> {
  const server = await serve()
  for (const feature of ['developer.yourls', 'developer.shlink', 'developer.kutt']) {
    const on = await server.api('PATCH', `/admin/plugins/${feature}`, { enabled: true })
    expect(on.status).toBe(200)
  }
  return server
}

describe('a door of a running server', () => {
  itAtNight('answers the commands of the documentation', async () => {
    const server = await serveDoors()
    const page = readFileSync(join(root, 'docs/doors.md'), 'utf8')
    const commands = [...page.matchAll(/```sh\n(curl .*?)```/gs)].map(([, command = '']) => command)
    expect(commands).toHaveLength(3)
    for (const command of commands) {
      const own = command
        .replaceAll('TOKEN', token)
        .replaceAll('localhost:8080', server.url)
        .replace(/^curl /, 'curl --silent --fail ')
      const { stdout } = await run('sh', ['-c', own])
      expect(stdout, command).toContain(`${server.url}/`)
    }
  })

  itAtNight('answers the client of Shlink over HTTP of its own', async () => {
    const server = await serveDoors()
    const access = { baseUrl: server.url, apiKey: token }
    const client = new ShlinkApiClient(new NodeHttpClient(), access)
    expect(await client.health()).toMatchObject({ status: 'pass' })
    const made = await client.createShortUrl({ longUrl: 'https://example.com/', tags: ['e2e'] })
    expect((await server.get(`/${made.shortCode}`)).headers.get('location')).toBe(
      'https://example.com/',
    )
    const id = { shortCode: made.shortCode }
    const counted = async () => (await client.getShortUrlVisits(id)).pagination.totalItems
    await expect.poll(counted).toBe(1)
    expect(await client.deleteTags(['e2e'])).toEqual({ tags: ['e2e'] })
    await client.deleteShortUrl(id)
    await expect(client.getShortUrl(id)).rejects.toMatchObject({ status: 404 })
  })

  itAtNight('answers the client of Kutt over HTTP of its own', async () => {
    const server = await serveDoors()
    const links = new Kutt().set('api', `${server.url}/api/v2`).set('key', token).links()
    const { id, address } = await links.create({ target: 'https://example.net/' })
    expect((await server.get(`/${address}`)).headers.get('location')).toBe('https://example.net/')
    expect(await links.remove(id)).toBe('Link has been deleted successfully.')
  })
})
