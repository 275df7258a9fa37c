/** What a shell sees of a tool that a closed pipe ended: 128 and the number of SIGPIPE. */
const brokenPipe = 141

/**
 * Say nothing when nobody reads on, as behind `linnet plugins | head -1`: the command does its work to
 * the end, and its code tells that not all of what it wrote was read.
 */
export function endQuietlyWithoutReader(): void {
  let wasRead = true
  process.once('exit', code => {
    if (code === 0 && !wasRead) process.exitCode = brokenPipe
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      wasRead = false
    })
  }
}
