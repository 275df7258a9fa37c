import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSettingsInDatabase } from '../../core/cli/stored-settings.ts'
import {
  type RunTimeSettings,
  type SettingsStore,
  UnusableSettings,
} from '../../core/settings/settings.ts'
import type { Storage } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import { itAtNight } from '../at-night.ts'
import { linnet } from '../e2e/program.ts'
import { createLink, serve } from '../e2e/server.ts'
import { server, url } from './own-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'linnet-shared-'))

afterAll(() => rmSync(folder, { recursive: true }))

const off = (name: string) => (settings: RunTimeSettings) => ({
  ...settings,
  plugins: { ...settings.plugins, off: [...(settings.plugins?.off ?? []), name] },
})

interface Opened {
  readonly storage: Storage
  readonly settings: SettingsStore
  readonly said: string[]
}

/** Two servers on one database, each with its own list in place of a settings file. */
async function withTwo(use: (one: Opened, other: Opened) => Promise<void>, files: string[] = []) {
  const open = async (file = join(folder, 'none.json')): Promise<Opened> => {
    const storage = await openDatabase({ url }, { serves: true })
    const said: string[] = []
    return {
      storage,
      settings: await openSettingsInDatabase(storage, file, text => said.push(text)),
      said,
    }
  }
  const one = await open(files[0])
  const other = await open(files[1])
  try {
    await use(one, other)
  } finally {
    await Promise.all([one.storage.close(), other.storage.close()])
  }
}

function aFile(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('settings in the database', () => {
  it('lose no change of two servers that change them at the same moment', async () => {
    await withTwo(async (one, other) => {
      const names = Array.from({ length: 20 }, (_, turn) => `link.n${turn}`)
      await Promise.all(
        names.map((name, turn) => (turn % 2 ? one : other).settings.update(off(name))),
      )
      await one.settings.reload()
      expect(one.settings.read().plugins?.off?.toSorted()).toEqual(names.toSorted())
    })
  })

  it('change nothing when a change cannot be worked out, and tell nobody of one that is none', async () => {
    await withTwo(async ({ settings }, other) => {
      const heard: unknown[] = []
      other.storage.news.on('settings', () => heard.push(other.settings.read()))
      const failing = settings.update(() => {
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      await settings.update(same => same)
      await settings.update(off('link.a'))
      await expect.poll(() => heard).toHaveLength(1)
      expect(settings.read()).toEqual({ plugins: { off: ['link.a'] } })
    })
  })

  it('are taken over from the file of one server, once', async () => {
    const text = JSON.stringify({ brand: { name: 'Ada' }, features: { apiAccessEnabled: false } })
    const [file, late] = [aFile('settings.json', text), aFile('late.json', '{ "plans": {} }')]
    await withTwo(
      async (one, other) => {
        expect(one.settings.read()).toEqual(JSON.parse(text))
        expect(other.settings.read()).toEqual(JSON.parse(text))
        expect(one.said.join()).toContain('is not read while DATABASE_URL is set')
        expect(other.said).toEqual([])
      },
      [file, late],
    )
    expect([readFileSync(file, 'utf8'), existsSync(late)]).toEqual([text, true])
  })

  it('that a file has wrong, or somebody wrote wrong, are not used, and those before stay', async () => {
    await expect(withTwo(async () => undefined, [aFile('wrong.json', '{')])).rejects.toThrow(
      'is not JSON',
    )
    await withTwo(async ({ storage: { db }, settings }) => {
      const before = await settings.update(off('link.a'))
      const set = (value: string) =>
        db.updateTable('meta').set({ value }).where('key', '=', 'settings').execute()
      await set('{ "colour": "green" }')
      await expect(settings.reload()).rejects.toThrow(UnusableSettings)
      await expect(settings.update(off('link.b'))).rejects.toThrow('colour does not exist')
      expect([settings.isUsable(), settings.read()]).toEqual([false, before])
      await set('{}')
      await settings.reload()
      expect([settings.isUsable(), settings.read()]).toEqual([true, {}])
    })
  })

  it('are usable, and as before, while the server of the database is away', async () => {
    await withTwo(async ({ settings }) => {
      const before = await settings.update(off('link.a'))
      await server.pause()
      await expect(settings.update(off('link.b'))).rejects.toThrow()
      expect([settings.isUsable(), settings.read()]).toEqual([true, before])
      await server.resume()
      const update = () => settings.update(off('link.c')).then(({ plugins }) => plugins?.off)
      await expect.poll(update).toEqual(['link.a', 'link.c'])
    })
  })
})

describe('what an admin changes on one server', () => {
  it('holds on the other at once, and so does what a command changes', async () => {
    const env = { DATABASE_URL: url }
    const one = await serve({ env })
    const other = await serve({ env, admin: false })
    const guard = 'link.passwordProtection'
    const shown = async () => {
      const { body } = await other.api('GET', '/admin/plugins')
      return body.data.find(({ feature }: { feature: string }) => feature === guard).enabled
    }
    expect(await shown()).toBe(true)
    const { shortCode } = await createLink(one, { password: 'open sesame' })
    expect((await other.get(`/${shortCode}`)).status).toBe(403)

    const switchTo = (enabled: boolean) => one.api('PATCH', `/admin/plugins/${guard}`, { enabled })
    expect((await switchTo(false)).status).toBe(200)
    await other.logged(/^Switched off: link\.passwordProtection$/)
    // Closed, not open: nobody asks for the password now.
    await expect.poll(async () => (await other.get(`/${shortCode}`)).status).toBe(503)
    expect(await shown()).toBe(false)
    expect((await switchTo(true)).status).toBe(200)
    await expect.poll(async () => (await other.get(`/${shortCode}`)).status).toBe(403)

    expect((await one.api('PATCH', '/admin/brand', { name: 'Ada & Co' })).status).toBe(200)
    const named = async () => (await other.api('GET', '/admin/brand')).body.data.name
    await expect.poll(named).toBe('Ada & Co')

    // A command that runs beside the servers.
    const command = { env: { ...env, LINNET_DATA_DIR: one.dataDir } }
    expect((await linnet(['plugins', 'off', 'link.utmParameters'], command)).code).toBe(0)
    for (const node of [one, other]) await node.logged(/^Switched off: link\.utmParameters$/)
    const config = (await linnet(['config'], command)).stdout
    expect(config).toMatch(/link\.utmParameters +off +database/)

    writeFileSync(join(other.dataDir, 'settings.json'), '{ "brand": { "name": "Eve" } }')
    await other.logged(/settings\.json is not read: with DATABASE_URL/)
    expect(await named()).toBe('Ada & Co')
  })

  itAtNight(
    'may be a plugin that the other does not have, which says so and does all else',
    async () => {
      await withTwo(async ({ settings }) => {
        await settings.update(() => ({ plugins: { on: ['acme.absent'] } }))
      })
      const env = { DATABASE_URL: url }
      const node = await serve({ env })
      const why = 'acme.absent does not run: it is switched on, but not installed on this server'
      expect(await node.logged(/^acme\.absent/)).toMatchObject({ level: 'error', message: why })
      const { shortCode } = await createLink(node)
      expect((await node.get(`/${shortCode}`)).status).toBe(302)
      const health = JSON.parse((await node.get('/health/ready')).text)
      expect(health.checks.plugins).toEqual({ status: 'degraded', note: `${why}.` })
      const command = { env: { ...env, LINNET_DATA_DIR: node.dataDir } }
      expect((await linnet(['doctor'], command)).stdout).toContain(`${why}.`)
    },
  )
})
