import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { linnet, temporaryFolder } from './program.ts'
import { createLink, serve, serverEnv } from './server.ts'

it.each<[string, (database: string) => void, RegExp]>([
  ['no longer begins as a database', file => overwrite(file, 0, Buffer.from('garbage')), /backups/],
  ['lost its end', file => truncateSync(file, 40_000), /ends after 40000 of \d+ bytes.*backups/],
  ['is empty', file => truncateSync(file, 0), /it is empty.*backups/],
  ['belongs to another program', file => overwrite(file, 68, word(1)), /not one of Linnet's/],
  ['was written by a newer version', file => overwrite(file, 60, word(99)), /a newer Linnet/],
])('refuses a database that %s, and leaves it as it is', async (_, damage, remedy) => {
  const dataDir = await soundFolder()
  damage(join(dataDir, 'linnet.db'))
  const before = filesIn(dataDir)

  const { code, stdout, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(remedy)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(filesIn(dataDir)).toEqual(before)
})

it('refuses settings that it cannot read, and leaves them as they are', async () => {
  const dataDir = await soundFolder()
  writeFileSync(join(dataDir, 'settings.json'), '{ "plugins": ')
  const before = filesIn(dataDir)
  const { code, stderr } = await linnet(['serve'], { env: serverEnv(dataDir) })
  expect(code).toBe(1)
  expect(stderr).toMatch(/settings\.json is not JSON/)
  expect(filesIn(dataDir)).toEqual(before)
})

it('is for one server at a time; the lock of one that was killed is no obstacle', async () => {
  const first = await serve()
  const { shortCode } = await createLink(first)
  const startedAt = performance.now()
  const second = await linnet(['serve'], { env: serverEnv(first.dataDir) })
  expect(second).toMatchObject({ code: 1, stdout: '' })
  expect(second.stderr).toContain('Stop it first, or set LINNET_DATA_DIR to another folder.')
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect((await first.get(`/${shortCode}`)).status).toBe(302)

  await first.kill('SIGKILL')
  const third = await serve({ dataDir: first.dataDir })
  expect((await third.get(`/${shortCode}`)).status).toBe(302)
})

/** With a database in it: any command makes one. */
async function soundFolder(): Promise<string> {
  const dataDir = temporaryFolder()
  await linnet(['plugins'], { env: serverEnv(dataDir) })
  return dataDir
}

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const content = readFileSync(file)
  bytes.copy(content, offset)
  writeFileSync(file, content)
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Everything in a folder but the lock, which is empty. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter(name => name !== 'linnet.lock')
  return Object.fromEntries(
    names.map(name => [name, readFileSync(join(folder, name)).toString('base64')]),
  )
}
