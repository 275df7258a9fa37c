import { CommanderError } from 'commander'
import { ProblemError } from '../client/linnet.ts'
import { endWith, surviveLostOutput } from '../core/cli/end-process.ts'
import { failureLine } from '../core/cli/output.ts'
import { stackOf } from '../core/lib/message-for-people.ts'
import { exits, Interrupted, tellFailure } from './failures.ts'
import { asksJson, type Io } from './io.ts'
import { runRemote } from './program.ts'

/** Runs a command for a server elsewhere in this process. Resolves to whether there is such a command. */
export async function startRemote(words: readonly string[]): Promise<boolean> {
  surviveLostOutput(false)
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort(new Interrupted('Interrupted.')))
  const { env, stdin, stdout, stderr } = process
  const code = await run(words, { env, stdin, stdout, stderr, fetch, signal: stopping.signal })
  if (code === undefined) return false
  // A list that is still being read would keep the process from ending.
  stdin.unref?.()
  endWith(code)
  return true
}

/** Runs a command. Resolves to its exit code, or undefined if there is no such command. */
export async function run(words: readonly string[], io: Io): Promise<number | undefined> {
  const calling: { url?: string } = {}
  try {
    return await runRemote(words, io, calling)
  } catch (error) {
    const told = tellFailure(error, calling.url)
    const { message, code } = told ?? { message: stackOf(error), code: exits.bug }
    if (asksJson(words) && code !== exits.done) {
      const said = error instanceof CommanderError ? error.message : message
      io.stderr.write(failureLine(said, code, error instanceof ProblemError ? error.problem : null))
    } else if (message !== '') io.stderr.write(`${message}\n`)
    return code
  }
}
