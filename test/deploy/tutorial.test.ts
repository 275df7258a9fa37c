import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { builtProgram, root, temporaryFolder } from '../e2e/program.ts'
import { startRegistry } from '../e2e/registry.ts'
import { serverEnv } from '../e2e/server.ts'

const run = promisify(execFile)

/** A block of the page: commands, a file, or the output of the commands before it. */
interface Block {
  readonly kind: string
  readonly file: string | undefined
  readonly content: string
}

it('the tutorial for plugins works, command by command', async () => {
  const page = readFileSync(join(root, 'docs/plugins/tutorial.md'), 'utf8')
  const blocks = [...page.matchAll(/^```(sh|ts|text) ?(\S+)?\n([\s\S]*?)^```$/gm)].map(
    ([, kind = '', file, content = '']): Block => ({ kind, file, content }),
  )
  expect(blocks.map(({ kind }) => kind)).toContain('text')
  const env = await environment()
  let folder = realpathSync(temporaryFolder())
  let said = ''
  for (const { kind, file, content } of blocks) {
    if (kind === 'ts') writeFileSync(join(folder, file ?? ''), content)
    if (kind === 'text') for (const line of content.split('\n')) expect(said).toContain(line)
    if (kind !== 'sh') continue
    const { stdout } = await run('sh', ['-ec', `${content}printf '\n%s' "$PWD"`], {
      cwd: folder,
      env,
    })
    const end = stdout.lastIndexOf('\n')
    said = stdout.slice(0, end)
    folder = stdout.slice(end + 1)
  }
})

/** `linnet` on the path, a database, and a registry with the packages. */
async function environment() {
  const registry = await startRegistry()
  for (const name of ['typescript', '@types/node', 'undici-types']) {
    registry.publish(join(root, 'node_modules', name))
  }
  const [bin, dataDir] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(join(bin, 'linnet'), `#!/bin/sh\nexec ${process.execPath} ${builtProgram} "$@"\n`)
  chmodSync(join(bin, 'linnet'), 0o755)
  return {
    ...serverEnv(dataDir),
    PATH: [bin, process.env.PATH].join(delimiter),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    npm_config_registry: registry.url,
    npm_config_cache: join(bin, 'cache'),
  }
}
