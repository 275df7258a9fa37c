import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { FetchOptions } from '../../../../core/plugin.ts'
import imports from '../../../../plugins/organization/imports.ts'
import { boot } from '../../../harness.ts'
import { otherAccount } from '../other-account.ts'
import { fetch, serve } from './api-server.ts'

const links = [
  { id: 'a1', slug: 'spring', url: 'https://example.com/', createdAt: 1_718_119_809 },
  { id: 'a2', slug: 'fox', url: 'https://example.com/fox', createdAt: 1_718_119_809 },
]

/** Linnet beside a server of Sink, with the requests that it sends there. */
async function besideSink() {
  const sink = await serve(() => ({ json: { links, list_complete: true } }))
  const filesFolder = mkdtempSync(join(tmpdir(), 'linnet-imports-'))
  const sent: (FetchOptions | undefined)[] = []
  const linnet = await boot([imports, 'link.customShortCode', 'developer.apiKeys'], {
    filesFolder,
    fetch(url, options) {
      sent.push(options)
      return fetch(url, options)
    },
  })
  onTestFinished(async () => {
    await linnet.stop()
    rmSync(filesFolder, { recursive: true })
  })
  return {
    linnet,
    sent,
    body: { source: 'sink', settings: { server: sink.base, key: 'secret-token' } },
  }
}

it('an import reads a server, and shows its key nowhere', async () => {
  const { linnet, body } = await besideSink()
  const { body: begun } = await linnet.api('POST', '/imports', body)
  const path = `/imports/${begun.data.id}`
  await expect.poll(async () => (await linnet.api('GET', path)).body.data.state).toBe('done')
  const { body: ended } = await linnet.api('GET', path)
  expect(ended.data.progress).toMatchObject({ made: 2, refused: 0 })
  const { body: made } = await linnet.api('GET', '/links')
  expect(made.data.map(({ shortCode }: { shortCode: string }) => shortCode).sort()).toEqual([
    'fox',
    'spring',
  ])
  expect(JSON.stringify([begun, ended, linnet.log])).not.toContain('secret-token')
})

it('only an admin reads a server of the own network', async () => {
  const { linnet, sent, body } = await besideSink()
  await linnet.api('POST', '/imports', body)
  await expect.poll(() => sent.map(it => it?.toOwnNetwork)).toEqual([true])
  const other = await otherAccount(linnet)
  await other('POST', '/imports', body)
  await expect.poll(() => sent.map(it => it?.toOwnNetwork)).toEqual([true, false])
})

it('the rows before one that cannot be read come', async () => {
  const { linnet } = await besideSink()
  const { body: begun } = await linnet.api('POST', '/imports', { source: 'csv' })
  const path = `/imports/${begun.data.id}`
  const table = Buffer.from('url,code\nhttps://example.com/,a\nhttps://example.com/b,"b\n')
  await linnet.api('PUT', `${path}/file`, table, { 'content-type': 'application/octet-stream' })
  await expect.poll(async () => (await linnet.api('GET', path)).body.data.state).toBe('failed')
  const { body: ended } = await linnet.api('GET', path)
  expect(ended.data).toMatchObject({
    progress: { made: 1 },
    sentence: expect.stringMatching(/line 3/),
  })
})
