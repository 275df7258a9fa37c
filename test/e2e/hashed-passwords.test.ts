import { webcrypto } from 'node:crypto'
import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { folderWithImporter } from './imports.ts'
import { createLink, type Server, serve } from './server.ts'

const password = 'open sesame'
/** Its hashes at cost 4 and 12. */
const bcrypt = {
  fast: '$2b$04$Meokfb/IXJo/fILFNAJlLuFqz1zCboOrLE.WqdCjMTTD/k19/SM7K',
  slow: '$2b$12$xFur8sf8Ue0I2VLcJ4XxsODHDrIDYPbi2z9ga0ATcUbWOhMiyl8DK',
}

async function hashOfSink(): Promise<string> {
  const salt = webcrypto.getRandomValues(new Uint8Array(16))
  const bytes = new TextEncoder().encode(password)
  const key = await webcrypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits'])
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 10_000 }
  const derived = await webcrypto.subtle.deriveBits(how, key, 256)
  const parts = [salt, derived, Buffer.from('ame')].map(it =>
    Buffer.from(it as Uint8Array).toString('base64url'),
  )
  return ['sink-pwd:v1', 10_000, ...parts].join(':')
}

/** Imports a link for each hash; returns their codes. */
async function importHashes(server: Server, hashes: readonly string[]): Promise<readonly string[]> {
  const lines = hashes.map((passwordHash, index) => ({
    ...{ url: 'https://example.com/secret', code: `shut-${index}`, passwordHash },
  }))
  const text = lines.map(line => JSON.stringify(line)).join('\n')
  const { body } = await server.api('POST', '/import/lines', { lines: text })
  expect(body.data.map((it: { problem: unknown }) => it.problem)).toEqual(hashes.map(() => null))
  return lines.map(({ code }) => code)
}

function post(server: Server, code: string, fields: Record<string, string>, headers = {}) {
  return fetch(`${server.url}/${code}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  })
}

itAtNight(
  'links open with the passwords that they had elsewhere, while others are redirected',
  async () => {
    const server = await serve({ dataDir: folderWithImporter() })
    const hashes = [bcrypt.fast, await hashOfSink(), bcrypt.slow]
    const [first = '', ofSink = '', slow = ''] = await importHashes(server, hashes)
    const { shortCode: plain } = await createLink(server)

    // By the form with its pass, by a script without one, as JSON, and again once it is hashed anew.
    const page = await (await fetch(`${server.url}/${first}`)).text()
    const pass = /name="pass" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const opened = [
      await post(server, first, { pass, password }),
      await post(server, ofSink, { password }),
      await post(server, ofSink, { password }, { accept: 'application/json' }),
      await post(server, first, { password }),
    ]
    expect(opened.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
      opened.map(() => [303, 'https://example.com/secret']),
    )
    expect((await post(server, first, { password: 'open barley' })).status).toBe(403)

    let isChecked = false
    const checked = post(server, slow, { password }).finally(() => {
      isChecked = true
    })
    let redirects = 0
    while (!isChecked) {
      expect((await server.get(`/${plain}`)).status).toBe(302)
      redirects += 1
    }
    expect((await checked).status).toBe(303)
    // In this thread, bcrypt lets others have their turn ten times a second.
    expect(redirects).toBeGreaterThan(20)
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
  },
)
