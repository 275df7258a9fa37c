import { counted } from '../../lib/text/counted.ts'
import type { Log } from '../../plugin.ts'

/** So many lines may be written in so many milliseconds. */
const maxLines = 200
const spanMs = 60_000

/** The same log, which leaves out what is too much, and then says how much that was: no plugin fills the disk. */
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
