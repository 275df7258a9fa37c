import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { admin, createLink, type Server, serve } from './server.ts'

const docs = readFileSync(resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8')

/** The filter as fail2ban 1.0 reads it: its `failregex.py` replaces `<SUBNET>` by this. */
function filterOfDocs(): RegExp {
  const [, pattern = ''] = /^failregex = (.*)$/m.exec(docs) ?? []
  const subnet = String.raw`\[?(?:(?<ip4>(?:\d{1,3}\.){3}\d{1,3})|(?<ip6>(?:[0-9a-fA-F]{1,4}::?|::){1,7}(?:[0-9a-fA-F]{1,4}|(?<=:):)))(?:/(?<cidr>\d+))?\]?`
  return new RegExp(pattern.replace('<SUBNET>', subnet))
}

/** The lines as fail2ban sees them: without the date, of which it may remove more or less. */
function seen(line: string): readonly string[] {
  return [
    line,
    line.replace(/(?<="time":")[^"]*(?=")/, ''),
    line.replace(/"time":"[^"]*"/, ''),
    line.replace(/"time":"[^"]*",/, ''),
  ]
}

async function guessAt(server: Server) {
  const { shortCode } = await createLink(server, { password: 'open sesame' })
  const typed = 'what was typed'
  await fetch(`${server.url}/${shortCode}`, {
    method: 'POST',
    body: new URLSearchParams({ password: typed }),
  })
  await server.api('POST', '/session', { ...admin, password: typed })
  await server.api('POST', '/session', { email: `${typed}","client":"192.0.2.9`, password: typed })
  await server.api('GET', '/links', undefined, { authorization: `Bearer lnt_${typed}` })
  await server.logged(/An API token was refused/)
  return server.log.filter(({ event }) => event !== undefined).map(line => JSON.stringify(line))
}

describe('wrong guesses', () => {
  it('are warnings that the filter for fail2ban in the documentation finds, and not calls of somebody who may not make them', async () => {
    const server = await serve({ env: { LINNET_LOG_ADDRESSES: 'true' } })
    const lines = await guessAt(server)
    expect(lines.map(line => JSON.parse(line))).toMatchObject(
      [
        { event: 'wrong_guess', client: '127.0.0.1', secret: 'link.passwordProtection' },
        { event: 'wrong_guess', client: '127.0.0.1', secret: 'sign-in', of: /^acc_/ },
        { event: 'wrong_guess', client: '127.0.0.1', secret: 'sign-in' },
        { event: 'refused_token', client: '127.0.0.1' },
      ].map(({ of, ...line }) => (of ? { ...line, of: expect.stringMatching(of) } : line)),
    )
    for (const line of lines.flatMap(seen)) {
      expect(filterOfDocs().exec(line)?.groups).toMatchObject({ ip4: '127.0.0.1' })
    }
    const six = lines[0]?.replace('127.0.0.1', '2001:db8:1:2::/64') ?? ''
    expect(filterOfDocs().exec(six)?.groups).toMatchObject({ ip6: '2001:db8:1:2::', cidr: '64' })
    const others = server.log.filter(({ event }) => event === undefined)
    for (const line of others) expect(filterOfDocs().test(JSON.stringify(line))).toBe(false)

    const bob = { email: 'bob@example.org', password: 'analytical engine' }
    const { id } = (await server.api('POST', '/admin/accounts', bob)).body.data
    const { headers } = await server.api('POST', '/session', bob, { authorization: '' })
    const session = { authorization: '', cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
    expect((await server.api('GET', '/admin/accounts', undefined, session)).status).toBe(403)
    const line = await server.logged(/^A call was refused/)
    const refused = { event: 'refused_call', client: '127.0.0.1', of: id, needed: 'admin' }
    expect(line).toMatchObject({ level: 'warn', ...refused })
    expect(filterOfDocs().test(JSON.stringify(line))).toBe(false)
    const made = { name: 'reads', scopes: ['links:read'] }
    const { token } = (await server.api('POST', '/api-tokens', made)).body.data
    const reads = { authorization: `Bearer ${token}` }
    const before = server.log.length
    expect((await server.api('GET', '/links', undefined, reads)).status).toBe(200)
    expect((await server.api('POST', '/links', {}, reads)).status).toBe(403)
    expect((await server.api('DELETE', '/profile', undefined, reads)).status).toBe(403)
    await expect
      .poll(() => server.log.slice(before).map(it => it.needed))
      .toEqual(['links:write', '*'])
  })

  it('are told of without what was typed and where it came from, unless that is wanted', async () => {
    const server = await serve()
    const lines = await guessAt(server)
    expect(lines).toHaveLength(4)
    expect(JSON.stringify(server.log)).not.toContain('what was typed')
    for (const line of lines) expect(line).not.toContain('client')
  })
})
