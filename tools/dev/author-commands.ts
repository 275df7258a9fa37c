import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { note, say } from '../../core/cli/output.ts'
import type { Setting } from '../../core/cli/setting.ts'
import { caught } from '../../core/lib/caught.ts'
import { UserError } from '../../core/lib/user-error.ts'
import { addPlugin } from '../../core/outside/change-plugins.ts'
import type { Ours } from '../../core/outside/check-together.ts'
import { newestThatFits } from '../../core/outside/newest-that-fits.ts'
import { readSource, type Source } from '../../core/outside/source.ts'
import { makeTemporaryFolder } from '../../core/outside/temporary-folder.ts'
import { noteOnUnstable } from '../../core/outside/uses-unstable.ts'
import type { Plugin } from '../../core/plugin.ts'
import { newPlugin } from './new-plugin.ts'

/** The commands of `linnet plugins` for those who write plugins. */
export function addAuthorCommands(program: Command, setting: Setting): void {
  const plugins = program.commands.find(it => it.name() === 'plugins')
  plugins
    ?.command('new <folder>')
    .description('Create a folder with a new plugin, its test and its package.json.')
    .action((folder: string) => newPlugin(setting, folder))
  plugins
    ?.command('check <plugin>')
    .description('Test a plugin on an empty Linnet, without installing it.')
    .action(async (plugin: string) => {
      const { source } = await newestThatFits(readSource(plugin), setting.version)
      await checkOutside(setting, source)
    })
}

/** The export of `linnet/conformance`. */
type Conformance = (plugin: Plugin) => readonly { readonly name: string; run(): Promise<void> }[]

/** `linnet plugins check`: installs a plugin in a temporary folder, and runs the checks that every plugin must pass. */
async function checkOutside(setting: Setting, source: Source): Promise<void> {
  const { registry, version: ofLinnet, programUrl } = setting
  const program = new URL('.', programUrl)
  const ours: Ours = { registry, program, version: ofLinnet }
  const folder = makeTemporaryFolder('linnet-check-')
  const installed = join(folder, 'plugins')
  try {
    const { name, version, feature, read } = await addPlugin(installed, source, ours)
    const hint = noteOnUnstable(installed, name)
    const failed = await runChecks(await read(), ours.program)
    if (failed > 0) throw new UserError(`${hint}${name} ${version} fails the check.`)
    say(`${hint}${name} ${version} passes the check: ${feature} can be used.\n`, {
      ...{ name, version, feature },
    })
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
    note(`${problem === undefined ? 'ok    ' : 'failed'}  ${check.name}\n`)
    if (problem === undefined) continue
    failed += 1
    note(`        ${problem.split('\n').join('\n        ')}\n`)
  }
  return failed
}
