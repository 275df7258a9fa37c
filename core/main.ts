#!/usr/bin/env node

// The rest is imported only then: an older Node cannot read it, and better-sqlite3 ends one that has no
// Node-API 10 without a word. https://nodejs.org/api/n-api.html#node-api-version-matrix
if (Number(process.versions.napi) >= 10) {
  await import('./start.ts')
} else {
  console.error(
    `Linnet needs Node 22.14, 23.6 or newer, and this is ${process.versions.node}: install one from https://nodejs.org.`,
  )
  process.exitCode = 1
}

export {}
