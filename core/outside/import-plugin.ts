import nodeModule from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { digest } from '../accounts/digest.ts'
import { within } from '../lib/async/within.ts'

/** How long a plugin may take to be imported, in milliseconds. */
export const importMs = 10_000
export const tooSlow = `it did not load within ${importMs / 1_000} seconds`
const late = Symbol('late')

const { cache } = nodeModule.createRequire(import.meta.url)
const imported = new Set<string>()
/** Imports that timed out and have not ended yet: waiting again would take as long. */
const hanging = new Set<string>()
let underWay = 0
let exit = process.exit

/** The URL to import one version of a plugin from; another version of the same file has another mark. */
export function versionedUrl(file: string, mark: string): string {
  return `${pathToFileURL(file).href}?linnet=${digest(mark).slice(0, 12)}`
}

/**
 * Imports a plugin from outside and returns its default export. Throws if the import throws, takes too long, or tries
 * to end the process; the process goes on.
 */
export async function importPlugin(url: string): Promise<unknown> {
  if (!imported.has(url)) forgetRequired(homeOf(fileURLToPath(url)))
  imported.add(url)
  if (underWay === 0) exit = process.exit
  underWay += 1
  process.exit = () => {
    throw new Error('it ends the process')
  }
  try {
    return (await inTime(url, import(/* @vite-ignore */ url))).default
  } finally {
    underWay -= 1
    if (underWay === 0) process.exit = exit
  }
}

/** Modules loaded by `require` have no version in their names: a new version would get the modules of the old one. */
function forgetRequired(home: string): void {
  for (const file of Object.keys(cache).filter(it => it.startsWith(`${home}/`))) delete cache[file]
}

/** The folder that contains all packages that a package or a single file may use. */
function homeOf(file: string): string {
  const [home = ''] = file.split('/node_modules/')
  return home === file ? dirname(file) : home
}

async function inTime<T>(url: string, work: Promise<T>): Promise<T> {
  const ended = () => void hanging.delete(url)
  work.then(ended, ended)
  if (hanging.has(url)) throw new Error(tooSlow)
  const plugin = await within(importMs, work, late)
  if (plugin !== late) return plugin
  hanging.add(url)
  throw new Error(tooSlow)
}
