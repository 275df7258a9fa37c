#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { engines } from '../package.json'

// The rest is imported only then: an older Node cannot even read it.
const oldest = engines.node.replace('>=', '')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
  await import('./start.ts').catch(explain)
} else {
  console.error(
    `Linnet needs Node ${oldest} or newer, and this is ${process.versions.node}: install one from https://nodejs.org.`,
  )
  process.exitCode = 1
}

/** What is not bundled may be missing: `npm ci` was broken off, or a folder was copied without it. */
function explain(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  const program = fileURLToPath(new URL('..', import.meta.url))
  console.error(`A part of Linnet is not installed: ${error.message}. Run npm ci in ${program}`)
  process.exitCode = 1
}
