import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { builtProgram, linnet, programFolder, temporaryFolder } from './program.ts'

it.each(
  firstOf(1, [
    [
      'Hours',
      'Hours is not a name for a plugin. Use lower-case letters, digits and hyphens, such as',
    ],
    ['taken', 'taken already exists. Choose another name, or remove it.\n'],
    ['file/hours', 'cannot be there: a part of that path is a file, and no folder.'],
    ['.', 'is not a name for a plugin'],
    ['2-hours', '2-hours is not a name for a plugin'],
    ['nowhere/hours', 'does not exist, or its folder does not.'],
  ]),
)('makes nothing of %s, and says why', async (name, why) => {
  const folder = join(temporaryFolder(), 'A folder')
  mkdirSync(join(folder, 'taken'), { recursive: true })
  symlinkSync('/dev/null', join(folder, 'file'))
  const { code, stdout, stderr } = await linnet(['plugins', 'new', name], { cwd: folder })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(why)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['file', 'taken'])
})

itAtNight('says how the types are built where they are not', async () => {
  const folder = programFolder()
  const filter = (file: string) => !file.endsWith('.d.ts')
  cpSync(dirname(builtProgram), join(folder, 'dist'), { recursive: true, filter })
  const run = { program: join(folder, 'dist/main.js'), cwd: temporaryFolder() }
  const { stdout } = await linnet(['plugins', 'new', 'hours'], run)
  expect(stdout).toContain(`  (cd ${folder} && npm run build)\n  cd hours\n`)
})

itAtNight('makes nothing where what plugins are tested with was left out', async () => {
  const [folder, cwd] = [programFolder(), temporaryFolder()]
  const filter = (file: string) => !file.endsWith('harness.js')
  cpSync(dirname(builtProgram), join(folder, 'dist'), { recursive: true, filter })
  const run = { program: join(folder, 'dist/main.js'), cwd }
  const { code, stderr } = await linnet(['plugins', 'new', 'hours'], run)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^This Linnet, such as .*npx linnet plugins new.*\n$/),
  })
  expect(readdirSync(cwd)).toEqual([])
})

itAtNight('is tested by a version of Linnet, and by no path, where npx runs it', async () => {
  const [cached, cwd] = [join(temporaryFolder(), '_npx/1a/node_modules/linnet'), temporaryFolder()]
  cpSync(programFolder(), cached, { recursive: true })
  cpSync(dirname(builtProgram), join(cached, 'dist'), { recursive: true })
  await linnet(['plugins', 'new', 'hours'], { program: join(cached, 'dist/main.js'), cwd })
  const { devDependencies } = JSON.parse(readFileSync(join(cwd, 'hours/package.json'), 'utf8'))
  expect(devDependencies.linnet).toMatch(/^\^\d+\.\d+\.\d+$/)
})

itAtNight('takes a name as its package is called, too', async () => {
  const folder = temporaryFolder()
  await linnet(['plugins', 'new', 'linnet-plugin-hours'], { cwd: folder })
  const manifest = readFileSync(join(folder, 'linnet-plugin-hours/package.json'), 'utf8')
  expect(JSON.parse(manifest).name).toBe('linnet-plugin-hours')
})
