import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTransaction, type Storage } from '../../../../core/storage/database.ts'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'

let folder: string
let server: Storage
let command: Storage
let heard: string[]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  folder = mkdtempSync(join(tmpdir(), 'linnet-news-'))
  const file = join(folder, 'linnet.db')
  server = await openSqlite(file)
  command = await openSqlite(file, { serves: false })
  heard = []
  for (const topic of ['link', 'account', 'events', 'plugin acme.rates']) {
    server.news.on(topic, () => heard.push(topic))
  }
})
afterEach(async () => {
  await command.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
  vi.useRealTimers()
})

/** What the server heard since it looked last. */
function look(): readonly string[] {
  heard = []
  vi.advanceTimersByTime(500)
  return heard
}

const account = {
  email: 'ada@example.org',
  full_name: null,
  password_hash: null,
  is_admin: 0,
  plan: 'unlimited',
  created_at: 0,
  updated_at: 0,
} as const

describe('a server on a file of SQLite', () => {
  it('hears what a command changes, and nothing that was not committed', async () => {
    await command.db.insertInto('accounts').values(account).execute()
    expect(look()).toEqual([])
    await command.db.updateTable('accounts').set({ plan: 'free' }).execute()
    expect(look()).toEqual(['account'])
    expect(look()).toEqual([])
    const undone = inTransaction(command.db, async tx => {
      await tx.updateTable('accounts').set({ plan: 'unlimited' }).execute()
      await command.news.tell(tx, 'plugin acme.rates')
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(look()).toEqual([])
    for (let time = 0; time < 2; time += 1) {
      await command.news.tell(command.db, 'plugin acme.rates')
      expect(look()).toEqual(['plugin acme.rates'])
    }
  })

  it('does not hear what it changes itself', async () => {
    await server.db.insertInto('accounts').values(account).execute()
    await server.db.updateTable('accounts').set({ plan: 'free' }).execute()
    await server.news.tell(server.db, 'plugin acme.rates')
    expect(look()).toEqual([])
  })
})
