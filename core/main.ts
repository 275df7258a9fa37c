#!/usr/bin/env node
import { engines } from '../package.json'

// The rest is imported only then: an older Node cannot even read it.
const oldest = engines.node.replace('>=', '')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
  await import('./start.ts')
} else {
  console.error(
    `Linnet needs Node ${oldest} or newer, and this is ${process.versions.node}: install one from https://nodejs.org.`,
  )
  process.exitCode = 1
}
