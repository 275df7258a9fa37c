import { mkdirSync, writeFileSync } from 'node:fs'
import * as api from '../../core/plugin.ts'

const name = 'linnetUnderTest'

/**
 * Writes a `plugin.js` as in a built program: it exports the plugin API of the running Linnet, here of this very
 * process, not a second copy.
 */
export function writeProgram(folder: string): void {
  mkdirSync(folder)
  const names = Object.keys(api).join(', ')
  writeFileSync(`${folder}/plugin.js`, `export const { ${names} } = globalThis.${name}\n`)
  beRunning()
}

/** Makes this process the running Linnet for everything that it imports from now on. */
export function beRunning(): void {
  Object.assign(globalThis, { [name]: api })
}
