import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { caught } from '../../lib/caught.ts'
import { UserError } from '../../lib/user-error.ts'
import { addPlugin } from '../../outside/change-plugins.ts'
import type { Ours } from '../../outside/check-together.ts'
import type { Source } from '../../outside/source.ts'
import { makeTemporaryFolder } from '../../outside/temporary-folder.ts'
import { noteOnUnstable } from '../../outside/uses-unstable.ts'
import type { Plugin } from '../../plugin.ts'
import type { Setting } from '../setting.ts'

/** The export of `linnet/conformance`. */
type Conformance = (plugin: Plugin) => readonly { readonly name: string; run(): Promise<void> }[]

/** `linnet plugins check`: installs a plugin in a temporary folder, and runs the checks that every plugin must pass. */
export async function checkOutside(setting: Setting, source: Source): Promise<void> {
  const { registry, version: ofLinnet, programUrl } = setting
  const program = new URL('.', programUrl)
  const ours: Ours = { registry, program, version: ofLinnet }
  const folder = makeTemporaryFolder('linnet-check-')
  const installed = join(folder, 'plugins')
  try {
    const { name, version, feature, read } = await addPlugin(installed, source, ours)
    process.stdout.write(noteOnUnstable(installed, name))
    const failed = await runChecks(await read(), ours.program)
    if (failed > 0) throw new UserError(`${name} ${version} fails the check.`)
    process.stdout.write(`${name} ${version} passes the check: ${feature} can be used.\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runChecks(plugin: Plugin, program: URL): Promise<number> {
  const { conformance }: { conformance: Conformance } = await import(
    /* @vite-ignore */ new URL('conformance.js', program).href
  )
  let failed = 0
  for (const check of conformance(plugin)) {
    const problem = await check.run().then(
      () => undefined,
      (error: unknown) => caught(error).message,
    )
    process.stdout.write(`${problem === undefined ? 'ok    ' : 'failed'}  ${check.name}\n`)
    if (problem === undefined) continue
    failed += 1
    process.stdout.write(`        ${problem.split('\n').join('\n        ')}\n`)
  }
  return failed
}
