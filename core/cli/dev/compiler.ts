import { spawn } from 'node:child_process'
import type { WatchedPlugin } from './watched-plugin.ts'

/** Run the script "watch" of a plugin, where it has one, until it is stopped. */
export function startCompiler({ root, hasWatchScript }: WatchedPlugin) {
  if (!hasWatchScript) return undefined
  const args = ['run', '--silent', 'watch']
  // It leads a process group of its own: npm does not hand on a signal to what it runs.
  const child = spawn('npm', args, { cwd: root, detached: true, stdio: ['ignore', 2, 2] })
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
    `npm run watch ended with ${code ?? signal}, so nothing compiles what you change: ` +
      'mend it, then run linnet dev again.\n',
  )
}
