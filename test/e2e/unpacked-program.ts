import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root, temporaryFolder } from './program.ts'
import { pack } from './registry.ts'

const run = promisify(execFile)

/** Linnet as published, with the packages that are installed with it, without those for building it. */
export async function unpackedProgram(archive = pack(root)): Promise<string> {
  const folder = realpathSync(temporaryFolder())
  await run('tar', ['-xzf', archive, '-C', folder])
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
