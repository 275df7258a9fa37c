import { mkdirSync, writeFileSync } from 'node:fs'
import * as api from '../../core/plugin.ts'

const name = 'linnetUnderTest'

/**
 * Write a `plugin.js` as a built program has it: it is the plugin API of the Linnet that runs, here of the one in
 * this very process, and not another copy of it.
 */
export function writeProgram(folder: string): void {
  mkdirSync(folder)
  const names = Object.keys(api).join(', ')
  writeFileSync(`${folder}/plugin.js`, `export const { ${names} } = globalThis.${name}\n`)
  beRunning()
}

/** Be the Linnet that runs, for what is imported in this process from now on. */
export function beRunning(): void {
  Object.assign(globalThis, { [name]: api })
}
