import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { API } from '../plugin.ts'
import { type Needs, needsSchema } from './why-unfit.ts'

/** A plugin in the folder of plugins: a package, or a single file. */
export interface Found {
  /** The name of the package, or of the file. */
  readonly name: string
  /** The version of the package. */
  readonly version: string | null
  /** The feature that it provides, according to its package; null if only importing it tells. */
  readonly feature: string | null
  /** The description of the package. */
  readonly description: string | null
  /** What the package says that it needs to run. */
  readonly needs: Needs
  /** The folder of the package, or the file. */
  readonly root: string
  /** The file to import; or why nothing can be imported, as the end of "It is left out: …". */
  readonly entry: { readonly file: string } | { readonly problem: string }
}

/** Exactly one dot, which excludes tests, type declarations and configurations. */
const singleFile = /^[^.]+\.(js|mjs|ts)$/

const projectSchema = z.object({ dependencies: z.record(z.string(), z.string()).optional() })

const packageSchema = needsSchema.extend({
  version: z.string().optional(),
  description: z.string().optional(),
  linnet: z
    .object({
      plugin: z.string(),
      api: z.string().optional(),
      feature: z.string().optional(),
    })
    .optional(),
})

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
})

/** The folder exists, but the list of its packages cannot be read. */
export class UnreadableFolder extends Error {
  override readonly name = 'UnreadableFolder'
}

/**
 * Finds what is in the folder of plugins without running any of it: packages by name, then single files. Skips
 * packages that are not plugins. Throws `UnreadableFolder`.
 */
export function findPlugins(folder: string): readonly Found[] {
  const packages = installedNames(folder).flatMap(name => findPackage(folder, name) ?? [])
  // On a disk that fails, `existsSync` says that nothing is there.
  const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined
  const files = isThere ? readdirSync(folder).filter(it => singleFile.test(it)) : []
  return [...packages, ...files.sort().map(name => findFile(folder, name))]
}

/** The dependencies in the `package.json` of the folder, by name; throws `UnreadableFolder`. */
export function dependenciesOf(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return {}
  const read = readJson(file, projectSchema)
  if (read) return read.dependencies ?? {}
  throw new UnreadableFolder(
    `${file} is not as npm writes it. Repair it, or remove it and everything installed there.`,
  )
}

/** A mark that changes when the content under the name of a plugin changes. */
export function markOf(folder: string, { name, version, root, entry }: Found): string {
  const lock = readJson(join(folder, 'package-lock.json'), lockSchema)
  const { integrity } = lock?.packages[`node_modules/${name}`] ?? {}
  const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return (
    integrity ??
    `${version} ${changedAt(root)} ${'file' in entry ? changedAt(entry.file) : entry.problem}`
  )
}

function installedNames(folder: string): readonly string[] {
  return Object.keys(dependenciesOf(folder)).sort()
}

function findFile(folder: string, name: string): Found {
  const path = join(folder, name)
  if (existsSync(path)) {
    const root = realpathSync(path)
    return { ...nothingSaid, name, root, entry: readable(root) }
  }
  const problem = 'it is a link to a file that does not exist'
  return { ...nothingSaid, name, root: path, entry: { problem } }
}

/** Fields that only packages have. */
const nothingSaid = { version: null, feature: null, description: null, needs: {} }

function findPackage(folder: string, name: string): Found | undefined {
  const link = join(folder, 'node_modules', name)
  if (!existsSync(join(link, 'package.json'))) {
    const problem = `it is not installed in ${folder}: run npm ci there, or remove it`
    return { ...nothingSaid, name, root: link, entry: { problem } }
  }
  const root = realpathSync(link)
  const read = readJson(join(root, 'package.json'), packageSchema)
  if (!read) {
    const problem =
      'the "linnet" in its package.json is not { "plugin": "./index.js", "api": "^1" }'
    return { ...nothingSaid, name, root, entry: { problem } }
  }
  const { version = null, description = null, linnet, ...needs } = read
  if (linnet === undefined) return undefined
  const { feature = null } = linnet
  const entry = entryOf(root, linnet)
  return { name, version, feature, description, needs, root, entry }
}

function entryOf(
  root: string,
  { plugin, api }: { readonly plugin: string; readonly api?: string | undefined },
): Found['entry'] {
  const problem = whyWrongApi(api)
  if (problem !== undefined) return { problem }
  const file = join(root, plugin)
  if (!file.startsWith(root + sep)) return { problem: `its file ${plugin} is outside the package` }
  if (!existsSync(file)) {
    return { problem: `its file ${plugin} does not exist: build the plugin, and add it again` }
  }
  return readable(file)
}

/** Why a package is not for this plugin API, as the end of "It is left out: …"; undefined if it is. */
export function whyWrongApi(api: string | undefined): string | undefined {
  if (api === undefined || !isRange(api)) {
    return `its package.json does not say which plugin API it is for: "linnet": { "api": "^${API}" }`
  }
  if (isInRange(api)) return undefined
  return `it is for plugin API ${api}, but this Linnet has ${API}: update Linnet, or use a version of it for ${API}`
}

/** The plugin API has only whole version numbers, so a range names some of them: `^1`, `1`, `^1 || ^2`. */
const isRange = (range: string) => versionsIn(range).every(it => /^\d+$/.test(it))
const isInRange = (range: string) => versionsIn(range).includes(`${API}`)

function versionsIn(range: string): readonly string[] {
  return range.split('||').map(part => part.trim().replace(/^\^/, ''))
}

/** A pipe is never imported to its end. Node strips types by itself from 22.18 on, except in `node_modules`. */
function readable(file: string): Found['entry'] {
  if (!statSync(file).isFile()) return { problem: 'it is not a regular file' }
  if (!/\.[cm]?ts$/.test(file)) return { file }
  if (file.includes(`${sep}node_modules${sep}`)) {
    return { problem: 'it is TypeScript, which Node does not run in packages: compile it' }
  }
  if (process.features.typescript) return { file }
  return {
    problem: `it is TypeScript, which needs Node 22.18, and this is ${process.versions.node}: compile it, or update Node`,
  }
}

function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
