import { type StdioOptions, spawn } from 'node:child_process'
import type { WatchedPlugin } from './watched-plugin.ts'

/** The input ends with this process, however that ends. */
const untilInputEnds =
  'exec 3<&0; { read -r _ <&3; kill 0; } & npm run --silent watch </dev/null 3<&-'

/** Run the script "watch" of a plugin, where it has one, until it is stopped. */
export function startCompiler({ root, hasWatchScript }: WatchedPlugin) {
  if (!hasWatchScript) return undefined
  // It leads a process group of its own: npm does not hand on a signal to what it runs.
  const stdio: StdioOptions = ['pipe', 2, 2]
  const child = spawn('sh', ['-c', untilInputEnds], { cwd: root, detached: true, stdio })
  child.on('error', error =>
    process.stderr.write(`npm run watch cannot be run: ${error.message}\n`),
  )
  child.on('exit', tellOfEnd)
  return {
    stop() {
      child.off('exit', tellOfEnd)
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    },
  }
}

function tellOfEnd(code: number | null, signal: NodeJS.Signals | null): void {
  process.stderr.write(
    `npm run watch ended with ${code ?? signal}, so your changes are no longer compiled: ` +
      'fix it, then run linnet dev again.\n',
  )
}
