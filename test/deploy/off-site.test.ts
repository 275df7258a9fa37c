import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect } from 'vitest'
import { builtProgram, linnet, root, temporaryFolder } from '../e2e/program.ts'
import { createLink, serve } from '../e2e/server.ts'
import { run, withPrograms } from './programs.ts'

withPrograms('restic')('restic brings back what the script of the night has saved', async () => {
  const { server, folder, env } = await instance()
  const repository = join(folder, 'repository')
  const password = join(folder, 'restic-password')
  writeFileSync(password, 'three quiet owls\n')
  const restic = ['--repo', repository, '--password-file', password]
  run('restic', [...restic, 'init'])
  const script = recipe('restic backup', {
    '/var/lib/linnet': server.dataDir,
    'sftp:backup@example.org:/linnet': repository,
    '/etc/linnet-restic': password,
  })
  const kept = await createLink(server)
  // The second backup of a day replaces the first.
  run('sh', ['-euc', script], { env })
  run('sh', ['-euc', script], { env })
  expect(JSON.parse(run('restic', [...restic, 'snapshots', '--json']))).toHaveLength(1)
  const lost = await createLink(server)
  await server.kill('SIGKILL')
  const back = join(folder, 'back')
  run('restic', [...restic, 'restore', 'latest', '--tag', 'linnet', '--target', back])
  await restores(back, kept.shortCode, lost.shortCode)
})

withPrograms('rclone')('rclone brings back a nightly backup', async () => {
  const { server, folder, env } = await instance()
  const kept = await createLink(server)
  const nightly = await server.api('POST', '/admin/jobs/storage.backup/run')
  expect(nightly.status, nightly.text).toBe(200)
  const config = join(folder, 'rclone.conf')
  writeFileSync(config, `[offsite]\ntype = alias\nremote = ${join(folder, 'offsite')}\n`)
  mkdirSync(join(folder, 'offsite'))
  const script = recipe('rclone copy', { '/var/lib/linnet': server.dataDir })
  const rclone = { env: { ...env, RCLONE_CONFIG: config } }
  run('sh', ['-euc', script], rclone)
  const lost = await createLink(server)
  await server.kill('SIGKILL')
  const back = join(folder, 'back')
  run('rclone', ['copy', 'offsite:linnet', back], rclone)
  await restores(back, kept.shortCode, lost.shortCode)
})

/** A server, a folder beside it, and `linnet` on the shell's path. */
async function instance() {
  const folder = temporaryFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const command = `#!/bin/sh\nexec '${process.execPath}' '${builtProgram}' "$@"\n`
  writeFileSync(join(bin, 'linnet'), command, { mode: 0o755 })
  const PATH = `${bin}${delimiter}${process.env.PATH}`
  return { server: await serve(), folder, env: { ...process.env, PATH } }
}

/** The block of the documentation with this command, with some paths replaced. */
function recipe(command: string, changes: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const found = blocks.filter(block => block.includes(command))
  expect(found).toHaveLength(1)
  return Object.entries(changes).reduce((script, [from, to]) => {
    expect(script).toContain(from)
    return script.replaceAll(from, to)
  }, found[0] ?? '')
}

/** Checks that the restored data has the links of the backup, and none created after it. */
async function restores(back: string, kept: string, lost: string) {
  const [name = ''] = readdirSync(back, { recursive: true, encoding: 'utf8' }).filter(it =>
    it.endsWith('.db'),
  )
  const backup = join(back, name)
  const dataDir = temporaryFolder()
  const restored = await linnet(['restore', '--yes', backup], {
    env: { LINNET_DATA_DIR: dataDir },
  })
  expect(restored.code, restored.stderr).toBe(0)
  expect(codesOf(join(dataDir, 'linnet.db'))).toEqual(codesOf(backup))
  const again = await serve({ dataDir, admin: false })
  expect((await again.get(`/${kept}`)).status).toBe(302)
  expect((await again.get(`/${lost}`)).status).toBe(404)
  expect((await again.api('GET', '/links')).status).toBe(200)
}

function codesOf(file: string): unknown {
  const db = new BetterSqlite3(file, { readonly: true })
  const codes = db.prepare('select code from short_codes order by code').pluck().all()
  db.close()
  return codes
}
