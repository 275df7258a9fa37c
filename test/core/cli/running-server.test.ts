import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { server as table } from '../../../config/server.ts'
import {
  expectSameDatabase,
  isFolderTaken,
  lockFileOf,
  noteServer,
  withSettingsOfServer,
} from '../../../core/cli/running-server.ts'
import type { Setting } from '../../../core/cli/setting.ts'
import { readServerSettings } from '../../../core/cli/settings-from-env.ts'
import { lockFolder } from '../../../core/storage/files/lock.ts'
import { aDatabasePath } from '../storage/folder.ts'

const secrets = {
  LINNET_ADMIN_EMAIL: 'ada@example.org',
  LINNET_ADMIN_PASSWORD: 'correct horse',
  DATABASE_URL: 'postgres://linnet:secret@db.example.org/linnet',
}

/** A server that has locked its folder, and noted what it was given. */
function aServer(env: Setting['env']) {
  const dataDir = dirname(aDatabasePath())
  const given = { ...env, LINNET_DATA_DIR: dataDir }
  const read = readServerSettings(given, table)
  if ('mistakes' in read) throw new Error(read.mistakes.join())
  const locked = lockFolder(lockFileOf(dataDir))
  const lock = noteServer({ env: given, table }, read.settings, locked)
  onTestFinished(() => locked.release())
  const taken = (own: Setting['env']) =>
    withSettingsOfServer({ env: own, table } as Setting, dataDir).env
  return { dataDir, lock, locked, taken, noteFile: join(dataDir, 'linnet.running') }
}

it('a command takes what it was not given, and no secret, while the server has the folder', () => {
  const { dataDir, lock, taken, noteFile } = aServer({
    ...secrets,
    LINNET_BASE_URL: 'https://go.example.org',
    PORT: '9000',
  })
  expect(taken({ LINNET_PORT: '1' })).toEqual({
    LINNET_BASE_URL: 'https://go.example.org',
    LINNET_PORT: '1',
  })
  expect(taken({ PORT: '1' })).not.toHaveProperty('LINNET_PORT')
  expect(taken({})).toHaveProperty('LINNET_PORT', '9000')
  const note = readFileSync(noteFile, 'utf8')
  for (const it of Object.values(secrets)) expect(note).not.toContain(it)
  expect(note).not.toContain('secret')

  expect(isFolderTaken(dataDir)).toBe(true)
  lock.release()
  expect([isFolderTaken(dataDir), existsSync(noteFile)]).toEqual([false, false])
  expect(taken({})).toEqual({})
})

it('what a killed server noted counts no more, and neither does half a note', () => {
  const killed = aServer({ LINNET_BASE_URL: 'https://go.example.org' })
  killed.locked.release()
  expect(killed.taken({})).toEqual({})
  const { dataDir, taken, noteFile } = aServer({ LINNET_BASE_URL: 'https://go.example.org' })
  writeFileSync(noteFile, '{"variables":')
  expect(taken({})).toEqual({})
  expectSameDatabase({ dataDir, databaseUrl: 'postgres://x' })
})

it('a database of another kind than that of the server is refused', () => {
  const onPostgres = aServer(secrets)
  const inFile = aServer({})
  const at = (databaseUrl: string | undefined) => (it: { readonly dataDir: string }) => () =>
    expectSameDatabase({ dataDir: it.dataDir, databaseUrl })
  expect(at(undefined)(onPostgres)).toThrow(/in PostgreSQL, and DATABASE_URL is not set here/)
  expect(at('postgres://x')(inFile)).toThrow(/in linnet\.db, and DATABASE_URL is set here/)
  expect(at('postgres://x')(onPostgres)).not.toThrow()
  expect(at(undefined)(inFile)).not.toThrow()
  onPostgres.lock.release()
  expect(at(undefined)(onPostgres)).not.toThrow()
})
