import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { serve } from './server.ts'

it('leads a new user from the log to a link with numbers, which a restart keeps', async () => {
  const first = await serve({ admin: false })
  const { setupCode } = await first.logged(/setup code/)

  const admin = { email: 'ada@example.org', password: 'correct horse', fullName: 'Ada Lovelace' }
  const wrong = await first.api('POST', '/setup', { ...admin, code: 'a guess' })
  expect(wrong).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
  const setUp = await first.api('POST', '/setup', { ...admin, code: setupCode })
  expect(setUp).toMatchObject({ status: 201, body: { data: { isAdmin: true, initials: 'AL' } } })

  const [cookie = ''] = setUp.headers.get('set-cookie')?.split(';') ?? []
  const draft = { name: 'mine', scopes: ['*'], current_password: admin.password }
  const asPage = { authorization: '', cookie, origin: first.url }
  const made = await first.api('POST', '/api-tokens', draft, asPage)
  expect(made).toMatchObject({
    status: 201,
    body: { data: { token: expect.stringMatching(/^lnt_/) } },
  })
  const bearer = { authorization: `Bearer ${made.body.data.token}` }

  const target = 'https://example.com/a?b=c'
  const created = await first.api('POST', '/links', { original_url: target }, bearer)
  expect(created.status).toBe(201)
  const { id, shortUrl, shortCode } = created.body.data
  expect(shortUrl).toBe(`${first.url}/${shortCode}`)
  const visit = await first.get(`/${shortCode}`)
  expect([visit.status, visit.headers.get('location')]).toEqual([302, target])
  expect(visit.headers.has('strict-transport-security')).toBe(false)

  const shownAtFirst = async () =>
    (await first.api('GET', `/links/${id}`, undefined, bearer)).body.data
  await expect.poll(shownAtFirst).toMatchObject({ visits: { total: 1 } })
  expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(readdirSync(first.dataDir).sort()).toEqual(['linnet.db', 'linnet.lock', 'linnet.reserve'])

  // This program hashes at full cost, unlike other tests.
  const db = new BetterSqlite3(join(first.dataDir, 'linnet.db'), { readonly: true })
  const hash = db.prepare('select password_hash from accounts').pluck().get()
  db.close()
  expect(hash).toMatch(/^scrypt:8192:8:10:/)

  const second = await serve({ admin: false, dataDir: first.dataDir })
  expect(second.log.some(line => line.setupCode)).toBe(false)
  expect((await second.get(`/${shortCode}`)).headers.get('location')).toBe(target)
  const shown = async () => (await second.api('GET', `/links/${id}`, undefined, bearer)).body.data
  await expect.poll(shown).toMatchObject({ originalUrl: target, visits: { total: 2 } })
  const again = await second.api('POST', '/setup', { ...admin, code: setupCode })
  expect(again.status).toBe(404)
})
