import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { InstallFailed, runNpm } from './npm.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Where a plugin comes from. */
export type Source =
  | { readonly kind: 'registry'; readonly name: string; readonly spec: string }
  | { readonly kind: 'archive' | 'folder'; readonly path: string }

// As narrow as npm's own grammar allows: `npm install` takes `x@..` for a folder.
const name = '(?:@[a-z\\d][\\w.~-]*/)?[a-z\\d][\\w.~-]*'
const named = '[a-zA-Z][\\w-]*'
const number = '(?:[xX*]|\\d+)'
const version = `v?${number}(?:\\.${number}){0,2}(?:-[\\w.-]+)?`
const bound = `(?:[<>]=?|[~^=])? *${version}`
const range = `${bound}(?:(?: - | *\\|\\| *| +)${bound})*`
const packageSpec = new RegExp(`^(${name})(?:@(?:${named}|${range}))?$`)

/** What npm takes for a file, even as a version. */
const archive = /\.(tgz|tar\.gz|tar)(@|$)/i

/** Reads `name[@range]` in the npm registry; undefined if the text is something else. */
export function readSpec(text: string): Extract<Source, { kind: 'registry' }> | undefined {
  const [, name] = packageSpec.exec(text) ?? []
  if (name === undefined || archive.test(text)) return undefined
  // A name alone would mean the newest version in the existing range.
  return { kind: 'registry', name, spec: text === name ? `${name}@latest` : text }
}

/** Reads what somebody typed; as in npm, its form decides whether it is a path. Throws `InstallFailed`. */
export function readSource(typed: string): Source {
  const isPath = /^[./~]/.test(typed) || /\.(tgz|tar\.gz|[cm]?[jt]s)$/.test(typed)
  const path = resolve(typed)
  const spec = isPath ? undefined : readSpec(typed)
  if (spec?.name === typed && existsSync(join(path, 'package.json'))) {
    throw new InstallFailed(
      `There is a folder ${typed} here. Enter ./${typed} for the folder, or ${typed}@latest for the package in the npm registry.`,
    )
  }
  if (spec) return spec
  const found = isPath ? statSync(path, { throwIfNoEntry: false }) : undefined
  if (found?.isDirectory() && existsSync(join(path, 'package.json')))
    return { kind: 'folder', path }
  if (found?.isFile() && /\.(tgz|tar\.gz)$/.test(path)) return { kind: 'archive', path }
  throw new InstallFailed(whyNot(typed, found !== undefined))
}

function whyNot(typed: string, isThere: boolean): string {
  if (isThere && /\.(m?js|ts)$/.test(typed)) {
    return `${typed} is a single file: copy it into the folder plugins of the data folder. A running server loads it within two seconds.`
  }
  if (isThere)
    return `${typed} is not a package. Enter a folder with a package.json, or a .tgz file of npm pack.`
  return (
    `There is no plugin ${typed}. Enter a name, such as linnet-plugin-hours@^1, a file, such as ` +
    './linnet-plugin-hours-1.0.0.tgz, or a folder, such as ./linnet-plugin-hours'
  )
}

/**
 * What npm is to install. Archives and folders are first copied into `packages`, so that they can be installed again
 * when the original is gone. The name of the copy contains a digest of its content; otherwise npm would mistake a new
 * build of the same version for the old one.
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
