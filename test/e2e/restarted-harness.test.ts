import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, root, temporaryFolder } from './program.ts'

const theirTest = `
import { it } from 'node:test'
import { definePlugin } from 'linnet/plugin'
import { boot } from 'linnet/harness'

const moods = definePlugin({
  feature: 'acme.moods',
  about: 'Do something every night.',
  jobs: { tidy: { every: '17 3 * * *', run: () => undefined } },
})

it('goes on after two restarts', async t => {
  const linnet = await boot(moods)
  t.after(() => linnet.stop())
  const off = await linnet.restart([])
  const on = await off.restart([moods])
  await on.run('acme.moods.tidy')
})

it('may be stopped by each that it was', async () => {
  const linnet = await boot(moods)
  const off = await linnet.restart([])
  await off.stop()
  await linnet.stop()
})
`

itAtNight('a test of a plugin ends once it stopped the harness that it began with', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/linnet'))
  writeFileSync(join(folder, 'moods.test.mjs'), theirTest)
  const { code, stdout } = await linnet(['--experimental-test-isolation=none', 'moods.test.mjs'], {
    program: '--test',
    cwd: folder,
  })
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^. pass 2$/m) })
})
