import { type StdioOptions, spawn } from 'node:child_process'
import type { WatchedPlugin } from './watched-plugin.ts'

/** Runs the script until its input ends, which happens when this process ends for any reason. */
const untilInputEnds =
  'exec 3<&0; { read -r _ <&3; kill 0; } & npm run --silent watch </dev/null 3<&-'

/** Runs the script "watch" of a plugin, if it has one, until it is stopped. */
export function startCompiler({ root, hasWatchScript }: WatchedPlugin) {
  if (!hasWatchScript) return undefined
  // In a process group of its own, because npm does not pass signals on to what it runs.
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
