import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsup'
import type { TestProject } from 'vitest/node'
import { addPlugin } from '../../core/outside/change-plugins.ts'
import { version } from '../../package.json'
import { registry } from '../../plugins/index.ts'
import { writeProgram } from './running-linnet.ts'

/** The folder that a plugin was installed in, and the program that it was installed for. */
export interface Installed {
  readonly folder: string
  /** The address of a folder. */
  readonly program: string
}

declare module 'vitest' {
  interface ProvidedContext {
    installed: Installed
  }
}

const root = resolve(import.meta.dirname, '../..')

/** Packs the tags as another author would, and installs them as `linnet plugins add` does. */
export default async function install({ provide }: TestProject): Promise<() => void> {
  const home = mkdtempSync(join(tmpdir(), 'linnet-outside-'))
  const program = pathToFileURL(`${join(home, 'dist')}/`)
  writeProgram(join(home, 'dist'))
  const source = join(home, 'tags')
  await makePackage(source)
  const { 'organization.tags': _, ...ours } = registry
  const folder = join(home, 'plugins')
  await addPlugin(folder, { kind: 'folder', path: source }, { registry: ours, program, version })
  provide('installed', { folder, program: program.href })
  return () => rmSync(home, { recursive: true })
}

/** Makes a package that bundles everything it needs except `linnet/plugin`. */
async function makePackage(folder: string): Promise<void> {
  mkdirSync(folder)
  const about = {
    name: 'linnet-plugin-tags',
    version: '1.0.0',
    type: 'module',
    files: ['index.js'],
    linnet: { plugin: './index.js', api: '^1' },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about))
  await build({
    config: false,
    silent: true,
    format: 'esm',
    target: 'node22',
    entry: { index: join(root, 'plugins/organization/tags.ts') },
    outDir: folder,
    noExternal: ['kysely'],
    esbuildPlugins: [
      {
        name: 'public-api',
        setup({ onResolve }) {
          onResolve({ filter: /\/core\/plugin\.ts$/ }, () => ({
            path: 'linnet/plugin',
            external: true,
          }))
        },
      },
    ],
  })
}
