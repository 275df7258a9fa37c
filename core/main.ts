#!/usr/bin/env node
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { keepYoungSmall } from './lib/memory/keep-young-small.ts'

// The rest is imported only after this check: an older Node cannot parse it, better-sqlite3 silently ends a Node without
// Node-API 10 (https://nodejs.org/api/n-api.html#node-api-version-matrix), and plugins need `registerHooks`.
if (Number(process.versions.napi) >= 10 && 'registerHooks' in nodeModule) {
  // Health checks run all day, often on a small machine, so they import nothing else.
  const args = process.argv.slice(2)
  if (['health', 'health,--json'].includes(args.join())) {
    const { askHealth } = await import('./cli/commands/health-command.ts')
    process.exitCode = await askHealth(process.env, args.length > 1)
  } else if (!(await isDoneElsewhere(args))) {
    if (['serve', 'run'].includes(args[0] ?? '')) keepYoungSmall()
    await import('./start.ts').catch(explain)
  }
} else {
  console.error(
    `Linnet needs Node 22.15, 23.6 or newer, and this is ${process.versions.node}: install one from https://nodejs.org.`,
  )
  process.exitCode = 1
}

/** Runs a command for a server elsewhere, for which nothing of a server is loaded. Resolves to whether it was one. */
async function isDoneElsewhere(args: readonly string[]): Promise<boolean> {
  const { isForElsewhere } = await import('../remote/is-for-elsewhere.ts')
  if (!isForElsewhere(args, process.env)) return false
  const { startRemote } = await import('../remote/start.ts')
  return startRemote(args)
}

/** A dependency that is not bundled may be missing: `npm ci` was interrupted, or a folder was copied without it. */
function explain(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  const program = fileURLToPath(new URL('..', import.meta.url))
  console.error(`A part of Linnet is not installed: ${error.message}. Run npm ci in ${program}`)
  process.exitCode = 1
}
