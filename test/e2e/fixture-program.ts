import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Options } from 'tsup'
import { program } from '../../tsup.config.ts'
import { programFolder, root } from './program.ts'

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number]

/** Bundles the program with one more plugin of `fixtures`, registered like an installed one; returns its path. */
export async function bundleWith(feature: string, file: string): Promise<string> {
  const path = join(root, 'test/e2e/fixtures', file)
  const oneLineMore: EsbuildPlugin = {
    name: 'one-line-more',
    setup({ onLoad }) {
      onLoad({ filter: /\/plugins\/index\.ts$/ }, ({ path: index }) => {
        const [list = '', rest] = readFileSync(index, 'utf8').split('} satisfies Registry')
        const line = `${JSON.stringify(feature)}: () => import(${JSON.stringify(path)}),`
        return { loader: 'ts', contents: `${list}${line}\n} satisfies Registry${rest}` }
      })
    },
  }
  const folder = programFolder()
  const { esbuildPlugins = [], ...others } = program
  await build({
    ...others,
    config: false,
    entry: {
      main: join(root, 'core/main.ts'),
      'recorder-worker': join(root, 'core/recorder-worker.ts'),
      'backup-worker': join(root, 'core/backup-worker.ts'),
      'bcrypt-worker': join(root, 'core/bcrypt-worker.ts'),
    },
    outDir: join(folder, 'dist'),
    esbuildPlugins: [...esbuildPlugins, oneLineMore],
    silent: true,
  })
  symlinkSync(join(root, 'dist/dashboard'), join(folder, 'dist/dashboard'))
  return join(folder, 'dist/main.js')
}
