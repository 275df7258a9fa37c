import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createHosts, type Hosts } from '../../../../core/links/follow/hosts.ts'
import type { CustomHost } from '../../../../core/plugin.ts'
import type { Database } from '../../../../core/storage/database.ts'
import { addAccount, openTestDb } from '../../accounts/fixtures.ts'

let db: Database
let answering: readonly CustomHost[] | string
let hosts: Hosts
let ending: AbortController
let accountId: number
let told: number

beforeEach(async () => {
  db = await openTestDb()
  accountId = (await addAccount(db)).id
  answering = []
  told = 0
  ending = new AbortController()
  const { signal } = ending
  hosts = createHosts({ db, ownNames: ['go.example.org'], ask: async () => said(), tell, signal })
})

async function tell(): Promise<void> {
  told += 1
}

/** What the plugin says now; a text: it fails. */
const said = (now = answering) =>
  new Map([['a.hosting', typeof now === 'string' ? undefined : now]])

const host = (name: string, owner = accountId): CustomHost => ({
  name,
  accountId: owner,
  rootUrl: null,
  notFoundUrl: null,
})

async function addLink(domain: string, code: string) {
  const at = { archived: 0, version: 1, created_at: 0, updated_at: 0 }
  const link = {
    account_id: accountId,
    domain,
    short_code: code,
    original_url: 'https://a.example/',
  }
  const { id } = await db
    .insertInto('links')
    .values({ ...link, ...at, fields: '{}', guarded_by: '[]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addCode(domain, code, id)
}

async function addCode(domain: string, code: string, linkId: number | null) {
  const values = { domain, code, link_id: linkId, account_id: accountId, created_at: 0 }
  await db.insertInto('short_codes').values(values).execute()
}

const names = () => [...hosts.all()].map(([name, it]) => `${name}${it === 'shut' ? ' shut' : ''}`)

it('custom hosts are those that a plugin answers for, and shut ones where links are', async () => {
  for (const domain of ['', 'a.example', 'b.example', 'c.example']) {
    await addLink(domain, 'one')
    await addLink(domain, 'two')
  }
  answering = [host('b.example'), host('new.example')]
  await hosts.refresh()
  expect(names()).toEqual(['a.example shut', 'b.example', 'c.example shut', 'new.example'])
})

it('custom hosts are shut where links were that lead on from there, and not where they were deleted', async () => {
  await addLink('', 'one')
  const { id } = await db.selectFrom('links').select('id').executeTakeFirstOrThrow()
  await addCode('before.example', 'one', id)
  await addCode('gone.example', 'one', null)
  await hosts.refresh()
  expect(names()).toEqual(['before.example shut'])
})

it('custom hosts are never the host of the base URL, and who names it is known', async () => {
  answering = [host('go.example.org')]
  await hosts.refresh()
  expect(names()).toEqual([])
  expect(hosts.contested()).toEqual([
    { name: 'go.example.org', owner: 'this server', feature: 'a.hosting' },
  ])
})

it('custom hosts stay as they were when no plugin can name them, and that is said', async () => {
  answering = [host('a.example')]
  await hosts.refresh()
  answering = 'a.hosting'
  await addLink('b.example', 'one')
  expect(await hosts.refresh()).toEqual(['a.hosting'])
  expect(names()).toEqual(['b.example shut', 'a.example'])
})

it('custom hosts are asked for again after five seconds until the plugin can name them, or until the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ask = vi.fn(async () => said())
  hosts = createHosts({ db, ownNames: [], ask, tell, signal: ending.signal })
  /** Lets the clock pass by five seconds, and waits for what is asked then. */
  async function asksAgain(): Promise<void> {
    const before = ask.mock.calls.length
    vi.advanceTimersByTime(4_999)
    await new Promise(setImmediate)
    expect(ask).toHaveBeenCalledTimes(before)
    const told = new Promise<void>(resolve => hosts.onChange(resolve))
    vi.advanceTimersByTime(1)
    await told
    await new Promise(setImmediate)
    expect(ask).toHaveBeenCalledTimes(before + 1)
  }
  /** A query behind all that could have been begun has been answered. */
  async function asksNobody(): Promise<void> {
    const before = ask.mock.calls.length
    vi.advanceTimersByTime(60_000)
    for (let turn = 0; turn < 5; turn++) await db.selectFrom('links').select('id').execute()
    expect(ask).toHaveBeenCalledTimes(before)
  }
  await addLink('a.example', 'one')
  answering = 'a.hosting'
  expect(await hosts.refresh()).toEqual(['a.hosting'])
  await asksAgain()
  expect([names(), hosts.failing()]).toEqual([['a.example shut'], ['a.hosting']])
  answering = [host('a.example')]
  await asksAgain()
  expect([names(), hosts.failing()]).toEqual([['a.example'], []])
  await asksNobody()

  answering = 'a.hosting'
  expect(await hosts.refresh()).toEqual(['a.hosting'])
  ending.abort()
  await asksNobody()
})

it('custom hosts of an account that is gone are dropped, and others stay', async () => {
  await addLink('shut.example', 'one')
  answering = [host('a.example', 1), host('b.example', 2)]
  await hosts.refresh()
  hosts.forget(1)
  expect(names()).toEqual(['shut.example shut', 'b.example'])
})

it('custom hosts are asked for again when something changed meanwhile', async () => {
  const asked: (() => void)[] = []
  hosts = createHosts({
    db,
    ownNames: ['go.example.org'],
    tell,
    signal: ending.signal,
    async ask() {
      const now = answering
      await new Promise<void>(resolve => asked.push(resolve))
      return said(now)
    },
  })
  const answerNext = async () => {
    while (asked.length === 0) await new Promise(setImmediate)
    asked.shift()?.()
  }
  answering = [host('old.example', 1)]
  const refreshing = hosts.refresh()
  while (asked.length === 0) await new Promise(setImmediate)
  answering = []
  hosts.forget(1)
  await answerNext()
  await answerNext()
  await refreshing
  expect(names()).toEqual([])
})

it('custom hosts are looked up once more for all who ask meanwhile, and each sees what is new', async () => {
  const told = vi.fn()
  hosts.onChange(told)
  const first = hosts.refresh()
  answering = [host('a.example')]
  const seen = Array.from({ length: 20 }, () => hosts.refresh().then(names))
  expect(await Promise.all(seen)).toEqual(Array(20).fill(['a.example']))
  await first
  expect(told.mock.calls.length).toBeLessThanOrEqual(2)
})

it('custom hosts are those of each plugin that can name its own, and those before of one that cannot', async () => {
  const answers = new Map<string, readonly CustomHost[] | undefined>([
    ['a.hosting', [host('a.example')]],
    ['b.hosting', undefined],
  ])
  hosts = createHosts({
    db,
    ownNames: [],
    tell,
    ask: async () => new Map(answers),
    signal: ending.signal,
  })
  expect([await hosts.refresh(), names()]).toEqual([['b.hosting'], ['a.example']])
  answers.set('b.hosting', [host('b.example')])
  expect([await hosts.refresh(), names()]).toEqual([[], ['a.example', 'b.example']])
  answers.set('a.hosting', [host('c.example')]).set('b.hosting', undefined)
  expect([await hosts.refresh(), names()]).toEqual([['b.hosting'], ['c.example', 'b.example']])
  answers.delete('b.hosting')
  expect([await hosts.refresh(), names()]).toEqual([[], ['c.example']])
})

it('custom hosts are asked of one plugin after a change there, and looked up only if it names others', async () => {
  const asked: (string | undefined)[] = []
  async function ask(only?: string) {
    asked.push(only)
    return said()
  }
  hosts = createHosts({ db, ownNames: [], ask, tell, signal: ending.signal })
  answering = [host('a.example')]
  const refreshOf = () => hosts.refreshOf('a.hosting', hosts.learnt())
  await refreshOf()
  expect([names(), told]).toEqual([['a.example'], 1])
  const seen = vi.fn()
  hosts.onChange(seen)
  answering = [host('a.example')]
  await refreshOf()
  expect([seen.mock.calls.length, told]).toEqual([0, 1])
  answering = [{ ...host('a.example'), rootUrl: 'https://example.com/' }]
  await refreshOf()
  expect([seen.mock.calls.length, told]).toEqual([1, 2])
  answering = 'a.hosting'
  await expect(refreshOf()).rejects.toThrow('a.hosting could not list its hosts')
  expect(told).toBe(3)
  expect([names(), hosts.failing()]).toEqual([['a.example'], ['a.hosting']])
  expect(new Set(asked)).toEqual(new Set(['a.hosting']))
})

it('custom hosts are what was named last, in whatever order the answers come', async () => {
  const asked: (() => void)[] = []
  async function ask() {
    const now = said()
    await new Promise<void>(resolve => asked.push(resolve))
    return now
  }
  hosts = createHosts({ db, ownNames: [], ask, tell, signal: ending.signal })
  answering = [host('old.example')]
  const first = hosts.refreshOf('a.hosting', hosts.learnt())
  answering = [host('new.example')]
  const second = hosts.refreshOf('a.hosting', hosts.learnt())
  asked[1]?.()
  await second
  asked[0]?.()
  await first
  expect(names()).toEqual(['new.example'])
})

it('custom hosts stay with the plugin that named them first, and who names them too is known', async () => {
  const mine = host('a.example', accountId + 1)
  const ask = async () =>
    new Map([
      ['a.hosting', [host('a.example')]],
      ['b.hosting', [mine, host('b.example')]],
    ])
  hosts = createHosts({ db, ownNames: [], ask, tell, signal: ending.signal })
  await hosts.refresh()
  expect([...hosts.all().values()]).toEqual([host('a.example'), host('b.example')])
  expect(hosts.contested()).toEqual([
    { name: 'a.example', owner: 'a.hosting', feature: 'b.hosting' },
  ])
})

it('custom hosts are told to other servers where something else learnt of them while they were changed', async () => {
  const since = hosts.learnt()
  answering = [host('a.example')]
  await hosts.refresh()
  expect(told).toBe(0)
  await hosts.refreshOf('a.hosting', since)
  expect(told).toBe(1)
})

it('custom hosts tell of every change', async () => {
  const told: string[][] = []
  hosts.onChange(() => told.push(names()))
  answering = [host('a.example')]
  await hosts.refresh()
  hosts.forget(accountId)
  expect(told).toEqual([['a.example'], []])
})
