import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { exportOf, movedFrom, type Source } from '../moved/moved.ts'
import { serveAnswers } from './move-in.ts'
import { builtProgram, root, temporaryFolder } from './program.ts'
import { admin, callsTo, serve, serverEnv, token } from './server.ts'

/**
 * A page, the source that its commands import, and a code of its export, with when that was made. What has no file is read from its
 * API.
 */
const pages: readonly {
  readonly page: string
  readonly source: Source
  readonly file?: string
  readonly code: string
  readonly madeAt?: string
}[] = [
  {
    page: 'shlink.md',
    source: 'shlink',
    file: 'shlink.sql',
    code: 'Spring',
    madeAt: '2024-05-01T10:20:30.000Z',
  },
  { page: 'kutt.md', source: 'kutt', file: 'kutt.sqlite', code: 'Spring' },
  {
    page: 'yourls.md',
    source: 'yourls',
    file: 'yourls.sql',
    code: 'ozh',
    madeAt: '2026-11-27T05:25:44.000Z',
  },
  { page: 'bitly.md', source: 'bitly', code: 'spring' },
  { page: 'dub.md', source: 'dub', code: 'checkly-check' },
  { page: 'other-services.md', source: 'csv', file: 'links.csv', code: 'spring' },
]

/** The numbered commands of a page, one a line. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(root, 'docs/moving-from', page), 'utf8')
  const [, block = ''] = /```sh\n(# 1\. .*?)```/s.exec(text) ?? []
  return block.split('\n').filter(line => line !== '' && !line.startsWith('#'))
}

describe('the commands of the page', () => {
  for (const { page, source, file, code, madeAt } of pages)
    itAtNight(`${page} move links in, one after another`, async () => {
      const folder = temporaryFolder()
      const moved = movedFrom(source)
      const dataDir = join(folder, 'data')
      const env = {
        ...serverEnv(dataDir),
        ...{ LINNET_BASE_URL: 'https://s.example.com', LINNET_FETCH_ALLOW: '127.0.0.1/32' },
      }
      const { port } = await (await serve({ dataDir, env })).logged(/^Linnet is ready/)
      const url = `http://127.0.0.1:${port}`
      const api = file ? '' : ` --setting api=${await serveAnswers(exportOf(moved))}`
      if (file) copyFileSync(exportOf(moved), join(folder, file))
      writeFileSync(
        join(folder, 'linnet'),
        `#!/bin/sh\nexec ${process.execPath} ${builtProgram} "$@"\n`,
      )
      chmodSync(join(folder, 'linnet'), 0o755)
      for (const command of commandsOf(page)) {
        // Whatever writes the file runs beside another program.
        if (/^(mysqldump|sqlite3)/.test(command)) continue
        const own = command
          .replaceAll('TOKEN', token)
          .replaceAll('localhost:8080', `127.0.0.1:${port}`)
          .replaceAll('go.example.com', moved.host ?? 'go.example.com')
          .replaceAll('you@example.org', admin.email)
          .replace('/spring', `/${code}`)
          .replace(/^curl /, 'curl --silent --fail ')
          .replace(/^linnet import \w+/, it => `${it}${api}`)
        const { status, said } = await runIn(folder, own, {
          ...env,
          PATH: `${folder}:${process.env.PATH}`,
        })
        if (command.startsWith('grep')) expect([0, 1], said).toContain(status)
        else if (!command.startsWith('linnet doctor')) expect(status, `${own}\n${said}`).toBe(0)
        if (command.startsWith('curl --head ')) expect(said).toMatch(/^HTTP\/1\.1 30[12]/)
      }
      const { body } = await callsTo(url).api('GET', '/links?per_page=100')
      expect(body.meta.total).toBeGreaterThan(0)
      const link = body.data.find((it: { shortCode: string }) => it.shortCode === code)
      if (madeAt) expect(link.createdAt).toBe(madeAt)
    })
})

itAtNight('the commands of the page polr-and-chhoto.md move links of both in', async () => {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const env = { ...serverEnv(dataDir), LINNET_FETCH_ALLOW: '127.0.0.1/32' }
  const { port } = await (await serve({ dataDir, env })).logged(/^Linnet is ready/)
  // A Chhoto URL without links.
  const there = createServer((_, answer) => answer.end('[]')).listen(0, '127.0.0.1')
  onTestFinished(() => void there.close())
  await once(there, 'listening')
  const base = `http://127.0.0.1:${(there.address() as AddressInfo).port}`
  copyFileSync(exportOf(movedFrom('polr')), join(folder, 'polr.sql'))
  copyFileSync(exportOf(movedFrom('chhoto')), join(folder, 'chhoto.sqlite'))
  writeFileSync(
    join(folder, 'linnet'),
    `#!/bin/sh\nexec ${process.execPath} ${builtProgram} "$@"\n`,
  )
  chmodSync(join(folder, 'linnet'), 0o755)
  const text = readFileSync(join(root, 'docs/moving-from/polr-and-chhoto.md'), 'utf8')
  const [, block = ''] = /```sh\n(curl .*?)```/s.exec(text) ?? []
  const commands = block.trim().split('\n')
  expect(commands.filter(it => it.includes('linnet import'))).toHaveLength(5)
  for (const command of commands) {
    const own = command
      .replaceAll('TOKEN', token)
      .replaceAll('localhost:8080', `127.0.0.1:${port}`)
      .replaceAll('you@example.org', admin.email)
      .replace('KEY=…', 'KEY=abc')
      .replace('https://c.test', base)
      .replace(/^curl /, 'curl --silent --fail ')
    const path = `${folder}:${process.env.PATH}`
    const { status, said } = await runIn(folder, own, { ...env, PATH: path })
    expect(status, `${own}\n${said}`).toBe(0)
  }
  const { body } = await callsTo(`http://127.0.0.1:${port}`).api('GET', '/links?per_page=1')
  expect(body.meta.total).toBeGreaterThan(3)
})

/** As somebody types it, who ends what is read from the keyboard. */
function runIn(cwd: string, command: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ readonly status: number; readonly said: string }>(resolve => {
    const child = execFile('sh', ['-c', command], { cwd, env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), said: stdout + stderr }),
    )
    child.stdin?.end('some-key\n')
  })
}
