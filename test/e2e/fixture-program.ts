import { join } from 'node:path'
import { build } from 'tsup'
import config from '../../tsup.config.ts'
import { programFolder, root } from './program.ts'

/** Bundle the program with the misbehaving plugins of `fixtures`; gives its path. */
export async function bundleFixture(): Promise<string> {
  const folder = programFolder()
  await build({
    ...config,
    config: false,
    entry: {
      main: join(root, 'test/e2e/fixtures/program.ts'),
      'recorder-worker': join(root, 'core/recorder-worker.ts'),
      'backup-worker': join(root, 'core/backup-worker.ts'),
    },
    outDir: join(folder, 'dist'),
    silent: true,
  })
  return join(folder, 'dist/main.js')
}
