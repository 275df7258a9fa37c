import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { builtProgram, linnet, programFolder, root, temporaryFolder } from './program.ts'
import { pack, startRegistry } from './registry.ts'
import { createLink, serve, serverEnv } from './server.ts'

const run = promisify(execFile)

it('is made, green at once, and runs once it is installed', async () => {
  const program = await unpackedProgram()
  const folder = realpathSync(temporaryFolder())
  expect(await linnet(['plugins', 'new', 'early-birds'], { program, cwd: folder })).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'early-birds is a plugin now. To see that it works:\n\n' +
      '  cd early-birds\n  npm install\n  npm test\n',
  })

  const registry = await startRegistry()
  for (const name of ['typescript', '@types/node', 'undici-types']) {
    registry.publish(join(root, 'node_modules', name))
  }
  const plugin = join(folder, 'early-birds')
  const env = { npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache') }
  const npm = (...args: string[]) =>
    run('npm', args, { cwd: plugin, env: { PATH: process.env.PATH, ...env } })
  await npm('install')
  const { stdout } = await npm('test')
  expect(stdout).toMatch(/^. pass 10$/m)
  expect(stdout).toMatch(/^. fail 0$/m)

  await npm('pack')
  const dataDir = temporaryFolder()
  const archive = join(plugin, 'linnet-plugin-early-birds-0.1.0.tgz')
  const installed = { env: { ...serverEnv(dataDir), ...env }, program }
  expect(await linnet(['plugins', 'add', archive], installed)).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'linnet-plugin-early-birds 0.1.0 is installed and brings custom.earlyBirds. A running server follows within two seconds, as its log says.\n',
  })
  expect(readdirSync(join(dataDir, 'plugins/node_modules/linnet-plugin-early-birds'))).toEqual([
    'README.md',
    'dist',
    'package.json',
  ])
  const server = await serve({ dataDir, program })
  const closed = await createLink(server, { closed_by_early_birds: true })
  expect((await server.get(`/${closed.shortCode}`)).status).toBe(403)
  expect((await server.get(`/${(await createLink(server)).shortCode}`)).status).toBe(302)
})

it.each([
  ['Hours', 'Hours is no name for a plugin: give one of small letters, digits and hyphens, as'],
  ['.', 'is no name for a plugin'],
  ['2-hours', '2-hours is no name for a plugin'],
  ['taken', 'taken is there already: give another name, or remove it.\n'],
  ['file/hours', 'This cannot be done: ENOTDIR: not a directory, mkdir'],
  ['nowhere/hours', 'This cannot be done: ENOENT: no such file or directory, mkdir'],
])('makes nothing of %s, and says why', async (name, why) => {
  const folder = join(temporaryFolder(), 'A folder')
  mkdirSync(join(folder, 'taken'), { recursive: true })
  symlinkSync('/dev/null', join(folder, 'file'))
  const { code, stdout, stderr } = await linnet(['plugins', 'new', name], { cwd: folder })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(why)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['file', 'taken'])
})

it('says how the types are built where they are not', async () => {
  const folder = programFolder()
  const filter = (file: string) => !file.endsWith('.d.ts')
  cpSync(dirname(builtProgram), join(folder, 'dist'), { recursive: true, filter })
  const run = { program: join(folder, 'dist/main.js'), cwd: temporaryFolder() }
  const { stdout } = await linnet(['plugins', 'new', 'hours'], run)
  expect(stdout).toContain(`  (cd ${folder} && npm run build)\n  cd hours\n`)
})

it('makes nothing where what plugins are tested with was left out', async () => {
  const [folder, cwd] = [programFolder(), temporaryFolder()]
  const filter = (file: string) => !file.endsWith('harness.js')
  cpSync(dirname(builtProgram), join(folder, 'dist'), { recursive: true, filter })
  const run = { program: join(folder, 'dist/main.js'), cwd }
  const { code, stderr } = await linnet(['plugins', 'new', 'hours'], run)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^This Linnet has only what runs.*npx linnet plugins new.*\n$/),
  })
  expect(readdirSync(cwd)).toEqual([])
})

it('takes a name as its package is called, too', async () => {
  const folder = temporaryFolder()
  await linnet(['plugins', 'new', 'linnet-plugin-hours'], { cwd: folder })
  const manifest = readFileSync(join(folder, 'linnet-plugin-hours/package.json'), 'utf8')
  expect(JSON.parse(manifest).name).toBe('linnet-plugin-hours')
})

/** Linnet as it is published, and what is installed with it beside it: nothing that only builds it. */
async function unpackedProgram(): Promise<string> {
  const folder = realpathSync(temporaryFolder())
  await run('tar', ['-xzf', pack(root), '-C', folder])
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries<{ dev?: true }>(lock.packages).filter(
    ([path, { dev }]) => path !== '' && !dev,
  )
  for (const [path] of installed) {
    const place = join(folder, 'package', path)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(root, path), place)
  }
  return join(folder, 'package/dist/main.js')
}
