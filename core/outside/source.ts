import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { InstallFailed, runNpm } from './npm.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Where a plugin comes from. */
export type Source =
  | { readonly kind: 'registry'; readonly name: string; readonly spec: string }
  | { readonly kind: 'archive' | 'folder'; readonly path: string }

const packageSpec = /^((?:@[a-z\d][\w.~-]*\/)?[a-z\d][\w.~-]*)(?:@[\w.^~<>=|* -]+)?$/

/** `name[@range]` in the npm registry; undefined when it is something else. */
export function readSpec(text: string): Extract<Source, { kind: 'registry' }> | undefined {
  const [, name] = packageSpec.exec(text) ?? []
  if (name === undefined) return undefined
  // A name alone would be the newest that fits the range of before.
  return { kind: 'registry', name, spec: text === name ? `${name}@latest` : text }
}

/** What somebody typed: a path is one by its look, as for npm. Throws `InstallFailed`. */
export function readSource(typed: string): Source {
  const isPath = /^[./~]/.test(typed) || /\.(tgz|tar\.gz|[cm]?[jt]s)$/.test(typed)
  const spec = isPath ? undefined : readSpec(typed)
  if (spec) return spec
  const path = resolve(typed)
  const found = isPath ? statSync(path, { throwIfNoEntry: false }) : undefined
  if (found?.isDirectory() && existsSync(join(path, 'package.json')))
    return { kind: 'folder', path }
  if (found?.isFile() && /\.(tgz|tar\.gz)$/.test(path)) return { kind: 'archive', path }
  throw new InstallFailed(whyNot(typed, found !== undefined))
}

function whyNot(typed: string, isThere: boolean): string {
  if (isThere && /\.(m?js|ts)$/.test(typed)) {
    return `${typed} is a single file: copy it into the folder plugins of the data folder, and start again.`
  }
  if (isThere)
    return `${typed} is not a package. Enter a folder with a package.json, or a .tgz file of npm pack.`
  return (
    `There is no plugin ${typed}. Enter a name, such as linnet-plugin-hours@^1, a file, such as ` +
    './linnet-plugin-hours-1.0.0.tgz, or a folder, such as ./linnet-plugin-hours'
  )
}

/**
 * What npm is to install: of a file or a folder, a copy in `packages`, so that it can be installed again when
 * they are gone. Its name tells its content, or npm would take another build of a version for the same.
 */
export async function specOf(source: Source, project: string): Promise<string> {
  if (source.kind === 'registry') return source.spec
  if (source.kind === 'archive') return keep(source.path, project)
  const folder = makeTemporaryFolder('linnet-pack-')
  try {
    const packed = await runNpm(folder, ['pack', source.path, '--pack-destination', folder])
    const [{ filename = '' } = {}] = packed as { readonly filename?: string }[]
    return keep(join(folder, basename(filename)), project)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function keep(archive: string, project: string): string {
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex').slice(0, 12)
  const name = basename(archive)
    .replace(/(\.tgz|\.tar\.gz)$/, '')
    .replace(/[^\w.-]/g, '-')
  const kept = `packages/${name}-${digest}.tgz`
  copyFileSync(archive, join(project, kept))
  return `file:${kept}`
}
