import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createConfirmPassword } from '../../../../core/accounts/access/confirm-password.ts'
import { backupRoutes } from '../../../../core/http/routes/backup-routes.ts'
import { hashPassword } from '../../../../core/lib/passwords.ts'
import { backUp } from '../../../../core/storage/backups/backup.ts'
import { createBackups } from '../../../../core/storage/backups/backups.ts'
import { previewRestore } from '../../../../core/storage/backups/preview-restore.ts'
import { expectedFile } from '../../../../core/storage/open/sqlite.ts'
import {
  addAccount,
  callerOf,
  openTestDb,
  patientGuesses,
  rememberingLog,
  stoppedClock,
} from '../../accounts/fixtures.ts'
import { anOpenDatabase } from '../../storage/folder.ts'
import { as, credentials, serve } from '../serve.ts'

const path = '/api/v1/admin/backups'
const password = 'analytical engine'
const secret = Buffer.from('secret')

async function anInstance() {
  const { file } = await anOpenDatabase()
  const clock = stoppedClock()
  const backups = createBackups({
    file,
    copy: backUp,
    now: clock.now,
    signal: new AbortController().signal,
  })
  const preview = async (path: string) => previewRestore(path, file, expectedFile)
  const db = await openTestDb()
  const given = { isAdmin: true, passwordHash: await hashPassword(password) }
  const admins = [await addAccount(db, given), await addAccount(db, given)]
  const { call } = await serve(
    backupRoutes({ backups, preview, secret, now: clock.now, log: rememberingLog() }),
    {
      confirm: createConfirmPassword(db, patientGuesses(), clock.now),
      credentials: {
        ...credentials,
        bySession: async value => {
          const admin = admins[Number(value)]
          return admin && callerOf(admin)
        },
      },
    },
  )
  /** Calls with the session of one of two admins. */
  const sign = (rest: string, { admin = 0, body }: { admin?: number; body?: object } = {}) =>
    call(path + rest, {
      method: body ? 'POST' : 'GET',
      headers: {
        cookie: `session=${admin}`,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const ask = (method: string, rest = '') => call(path + rest, as('admin', { method }))
  return { backups, clock, call, ask, sign }
}

describe('backups over the API', () => {
  it('say what restoring them would change, or why they cannot be restored', async () => {
    const { backups, ask } = await anInstance()
    const { data } = (await (await ask('POST')).json()) as { data: { name: string } }
    const same = { lost: 0, returned: 0, reverted: 0 }
    const version = expectedFile.newest
    expect(await (await ask('GET', `/${data.name}/preview`)).json()).toEqual({
      data: {
        ...data,
        schema: { backup: version, now: version },
        accounts: { backup: 0, now: 0, ...same },
        links: { backup: 0, now: 0, ...same },
        visits: { backup: 0, now: 0 },
        settings: [],
      },
    })
    expect((await ask('GET', '/nightly-20261120T031500Z.db/preview')).status).toBe(404)
    writeFileSync((await backups.find(data.name))?.path ?? '', 'garbage')
    const refused = await ask('GET', `/${data.name}/preview`)
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'backup_unusable' }),
    ])
  })

  it('are made, listed, downloaded as they are and deleted', async () => {
    const { backups, ask } = await anInstance()
    const made = await ask('POST')
    expect(made.status).toBe(200)
    const { data } = (await made.json()) as { data: { name: string; bytes: number } }
    expect(data).toMatchObject({ kind: 'manual', createdAt: '2026-11-20T12:00:00.000Z' })
    expect(await (await ask('GET')).json()).toEqual({ data: [data] })

    const file = await ask('GET', `/${data.name}`)
    expect(file.headers.get('content-type')).toBe('application/vnd.sqlite3')
    expect(file.headers.get('content-length')).toBe(String(data.bytes))
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${data.name}"`)
    expect(file.headers.get('cache-control')).toBe('no-store')
    const stored = readFileSync((await backups.find(data.name))?.path ?? '')
    expect(Buffer.from(await file.arrayBuffer()).equals(stored)).toBe(true)

    const head = await ask('HEAD', `/${data.name}`)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(data.bytes)])
    expect(await head.text()).toBe('')

    expect((await ask('DELETE', `/${data.name}`)).status).toBe(204)
    expect((await ask('GET', `/${data.name}`)).status).toBe(404)
  })

  it.each(['..%2Flinnet.db', '%2Fetc%2Fpasswd', 'linnet.db', 'nightly-20261120T031500Z.db'])(
    'are not found under %s',
    async name => {
      const { ask } = await anInstance()
      await ask('POST')
      expect((await ask('GET', `/${name}`)).status).toBe(404)
      expect((await ask('DELETE', `/${name}`)).status).toBe(404)
    },
  )

  it('are downloaded with a session by a link, which takes the password and lasts a minute', async () => {
    const { clock, ask, sign } = await anInstance()
    const { data } = (await (await ask('POST')).json()) as { data: { name: string } }
    const other = (await (await ask('POST')).json()) as { data: { name: string } }
    const refused = await sign(`/${data.name}`)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'password_required' },
    ])
    for (const body of [{}, { current_password: 'a guess' }]) {
      expect((await sign(`/${data.name}/download-link`, { body })).status).toBe(422)
    }
    const body = { current_password: password }
    const made = await sign(`/${data.name}/download-link`, { body })
    const link = ((await made.json()) as { data: { path: string } }).data
    expect(link).toMatchObject({ expiresAt: '2026-11-20T12:01:00.000Z' })
    const rest = link.path.slice(path.length)
    const pass = rest.slice(rest.indexOf('?'))
    const statusOf = async (to: string, admin = 0) => (await sign(to, { admin })).status
    expect(await statusOf(rest)).toBe(200)
    expect(await statusOf(rest, 1)).toBe(403)
    expect(await statusOf(`/${other.data.name}${pass}`)).toBe(403)
    expect(
      await statusOf(rest.replace(/pass=./, it => (it === 'pass=A' ? 'pass=B' : 'pass=A'))),
    ).toBe(403)
    clock.advance(60_000)
    expect(await statusOf(rest)).toBe(403)
    expect((await sign('/nothing/download-link', { body })).status).toBe(404)
  })

  it('are for admins', async () => {
    const { call } = await anInstance()
    for (const method of ['GET', 'POST']) {
      expect((await call(path, as('all', { method }))).status).toBe(403)
    }
  })

  it('are made one at a time', async () => {
    const { ask } = await anInstance()
    const statuses = (await Promise.all([ask('POST'), ask('POST')])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409])
  })

  it('are none for a database that is no file', async () => {
    const { call } = await serve(
      backupRoutes({
        ...{ backups: undefined, preview: neverAsked, secret },
        ...{ now: stoppedClock().now, log: rememberingLog() },
      }),
    )
    expect(await (await call(path, as('admin'))).json()).toEqual({ data: [] })
    const made = await call(path, as('admin', { method: 'POST' }))
    expect([made.status, await made.json()]).toMatchObject([409, { code: 'not_supported' }])
  })
})

function neverAsked(): never {
  throw new Error('There is nothing to compare.')
}
