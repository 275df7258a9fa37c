import { chmodSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, setUp, temporaryFolder } from './program.ts'
import { createLink, serve, serverEnv } from './server.ts'

let usual: number
beforeEach(() => {
  usual = process.umask(0o022)
})
afterEach(() => void process.umask(usual))

describe('other users of the machine', () => {
  it('can read nothing of a data folder: not the database, nor its log, settings or copies', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const server = await serve({ dataDir })
    await server.api('PATCH', '/admin/brand', { name: 'Ours' })
    await createLink(server)
    expect(await linnet(['backup'], { env: serverEnv(dataDir) })).toMatchObject({ code: 0 })
    expect(Object.keys(modes(dataDir))).toEqual([
      '.',
      'backups',
      expect.stringMatching(/^backups\/manual-/),
      'linnet.db',
      'linnet.db-shm',
      'linnet.db-wal',
      'linnet.lock',
      'linnet.reserve',
      'linnet.running',
      'settings.json',
      'settings.json.lock',
    ])
    expect(openTo(0o077, dataDir)).toEqual({})
    expect(server.log.filter(({ level }) => level === 'warn')).toEqual([])

    await server.kill('SIGTERM')
    const [copy = ''] = readdirSync(join(dataDir, 'backups'))
    expect(await linnet(['restore', copy], { env: serverEnv(dataDir) })).toMatchObject({ code: 0 })
    expect(openTo(0o077, dataDir)).toEqual({})
  })

  itAtNight('nor of what a command made', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    await setUp(dataDir)
    await linnet(['plugins', 'off', 'link.linkPreview'], { env: serverEnv(dataDir) })
    expect(Object.keys(modes(dataDir))).toEqual([
      '.',
      'linnet.db',
      'settings.json',
      'settings.json.lock',
    ])
    expect(openTo(0o077, dataDir)).toEqual({})
  })

  itAtNight('nor of one that was open to them before, and the log says so', async () => {
    const dataDir = await openFolder(0o755)
    const server = await serve({ dataDir })
    expect(openTo(0o077, dataDir)).toEqual({})
    const { closed } = await server.logged(/could read the data folder/)
    expect(closed).toContain(join(dataDir, 'backups'))

    await server.kill('SIGTERM')
    const again = await serve({ dataDir })
    expect(again.log.some(({ message }) => /could read/.test(message))).toBe(false)
  })

  itAtNight(
    'nothing is said of files that a closed folder kept from them, and they are closed too',
    async () => {
      const dataDir = await openFolder(0o755)
      chmodSync(dataDir, 0o700)
      const server = await serve({ dataDir })
      await server.logged(/is active/)
      expect(openTo(0o077, dataDir)).toEqual({})
      expect(server.log.filter(({ level }) => level === 'warn')).toEqual([])
    },
  )

  itAtNight('nor of the bytes of a damaged database that a restore keeps', async () => {
    const dataDir = await openFolder(0o755)
    truncateSync(join(dataDir, 'linnet.db'), 40_000)
    const [copy = ''] = readdirSync(join(dataDir, 'backups'))
    await linnet(['restore', copy], { env: serverEnv(dataDir) })
    const backups = modes(join(dataDir, 'backups'))
    const kept = Object.entries(backups).filter(([name]) => name.includes('damaged'))
    expect(kept.map(([, mode]) => mode)).toEqual(['600', '600'])
  })
})

describe('a data folder', () => {
  itAtNight('that is closed to all but a group stays readable for that group', async () => {
    const dataDir = await openFolder(0o750)
    const server = await serve({ dataDir })
    await linnet(['backup'], { env: serverEnv(dataDir) })
    expect(openTo(0o007, dataDir)).toEqual({})
    const [newest = ''] = readdirSync(join(dataDir, 'backups')).sort().slice(-1)
    expect(modes(dataDir)).toMatchObject({
      '.': '750',
      backups: '750',
      [`backups/${newest}`]: '640',
      'linnet.db': '640',
    })
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 })
  })

  itAtNight(
    'that also holds something else stays as it is, and what is ours in it is closed',
    async () => {
      const dataDir = await openFolder(0o755)
      writeFileSync(join(dataDir, 'index.html'), 'A page of somebody else.')
      await serve({ dataDir })
      expect(openTo(0o077, dataDir)).toEqual({ '.': '755', 'index.html': '644' })
    },
  )
})

/** A database, changed settings and a backup, all readable to everybody who may enter the folder. */
async function openFolder(mode: number): Promise<string> {
  const dataDir = temporaryFolder()
  await setUp(dataDir)
  await linnet(['plugins', 'off', 'link.linkPreview'], { env: serverEnv(dataDir) })
  await linnet(['backup'], { env: serverEnv(dataDir) })
  mkdirSync(join(dataDir, 'plugins'))
  for (const name of Object.keys(modes(dataDir))) {
    const path = join(dataDir, name)
    chmodSync(path, statSync(path).isDirectory() ? mode : mode & 0o644)
  }
  return dataDir
}

/** The permissions that a mask leaves on the files of a folder, by path. */
function openTo(mask: number, folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(modes(folder)).filter(([, mode]) => Number.parseInt(mode, 8) & mask),
  )
}

function modes(folder: string): Readonly<Record<string, string>> {
  const names = ['.', ...readdirSync(folder, { recursive: true }).map(String).sort()]
  return Object.fromEntries(
    names.map(name => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  )
}
