import { counted } from '../../lib/text/shown.ts'
import type { Log } from '../../plugin.ts'

/** How many lines a writer may log within `spanMs` milliseconds. */
const maxLines = 200
const spanMs = 60_000

/** Limits the lines of a log, and then logs how many were left out, so that no plugin fills the disk. */
export function boundLog(log: Log, writer: string): Log {
  let lines = 0

  function endSpan(): void {
    const leftOut = lines - maxLines
    lines = 0
    if (leftOut <= 0) return
    const are = leftOut === 1 ? 'is' : 'are'
    log.warn(`${writer} logs too much: ${counted(leftOut, 'line')} ${are} left out`)
  }

  const write =
    (level: keyof Log): Log['info'] =>
    (message, details) => {
      lines += 1
      if (lines === 1) setTimeout(endSpan, spanMs).unref()
      if (lines <= maxLines) log[level](message, details)
    }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
