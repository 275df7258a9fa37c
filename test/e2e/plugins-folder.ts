import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linnet, temporaryFolder } from './program.ts'
import { serverEnv } from './server.ts'

/** A plugin as a package, whose links are open in business hours alone. */
export const fixture = join(import.meta.dirname, 'fixtures/hours')

/** A data folder, and `linnet plugins` in it. */
export function newFolder(env = {}) {
  const dataDir = temporaryFolder()
  const all = { ...offline(dataDir), ...env }
  return { dataDir, plugins: (...args: string[]) => linnet(['plugins', ...args], { env: all }) }
}

/** A data folder with plugins of `fixtures`, each in a single file. */
export function folderWithFixtures(...files: readonly string[]): string {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  for (const file of files)
    cpSync(join(import.meta.dirname, 'fixtures', file), join(dataDir, 'plugins', file))
  return dataDir
}

/** Nothing listens at this address, so no test contacts the real registry. */
export function offline(dataDir: string) {
  return { ...serverEnv(dataDir), npm_config_registry: 'http://127.0.0.1:9' }
}

export function copyOfFixture(): string {
  const folder = temporaryFolder()
  cpSync(fixture, folder, { recursive: true })
  return folder
}

export function edit(file: string, change: (content: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
}

/** Every file below a folder, with its content. */
export function bytesIn(folder: string): Readonly<Record<string, string>> {
  const files = filesIn(folder).filter(it => statSync(join(folder, it)).isFile())
  return Object.fromEntries(files.map(it => [it, readFileSync(join(folder, it), 'base64')]))
}
