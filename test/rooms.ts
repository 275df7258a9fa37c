import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** The TypeScript files in a folder and its subfolders. */
export function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
}

/** The files of the project that a file imports, types included. */
export function importsOf(file: string): string[] {
  return importsIn(file, readFileSync(join(root, file), 'utf8'))
}

function importsIn(file: string, source: string): string[] {
  const found = source.matchAll(/(?:from|import\(|^import)\s*'(\.[^']+)'/gm)
  return [...found].map(([, target]) => relative(root, resolve(root, dirname(file), `${target}`)))
}

/** The files of the project that run when a file is imported, or may be loaded later. */
export function loadedBy(file: string): string[] {
  const types = /^(?:import|export) type [^']*'[^']+'|typeof import\('[^']+'\)/gm
  return importsIn(file, readFileSync(join(root, file), 'utf8').replace(types, ''))
}

/** The rooms of the core from the bottom up; docs/architecture.md lists them from the top down. */
export const rooms: readonly string[] = [
  ...readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(/^\| `(core[^`]*)` \|/gm),
]
  .map(([, room]) => `${room}`)
  .reverse()

/** The room of a file: its top folder, or the interface for plugins. */
export function roomOf(file: string): string {
  return file === 'core/plugin.ts' ? 'core/plugin' : dirname(file).split('/', 2).join('/')
}
