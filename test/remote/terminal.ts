import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { run } from '../../remote/start.ts'

interface Typed {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** How many columns the terminal has; by default, a program reads the output. */
  readonly columns?: number
  readonly signal?: AbortSignal
  readonly fetch?: typeof fetch
}

/** Runs a command for a server elsewhere in this process, as its user would, on a machine of its own. */
export async function elsewhere(
  words: string | readonly string[],
  { stdin, env = {}, columns, signal = new AbortController().signal, ...typed }: Typed = {},
) {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const said = { stdout: '', stderr: '' }
  stdout.on('data', chunk => {
    said.stdout += chunk
  })
  stderr.on('data', chunk => {
    said.stderr += chunk
  })
  const isTTY = columns !== undefined
  const code = await run(typeof words === 'string' ? words.split(' ') : words, {
    env,
    stdin: Object.assign(Readable.from(stdin === undefined ? [] : [stdin]), { isTTY: false }),
    stdout: Object.assign(stdout, { isTTY, columns: columns ?? 80 }),
    stderr: Object.assign(stderr, { isTTY: false }),
    fetch: typed.fetch ?? fetch,
    signal,
  })
  return { code, ...said }
}

/** A home in which nobody has logged in, removed when the test ends. */
export function emptyHome(): { readonly HOME: string } {
  const HOME = mkdtempSync(join(tmpdir(), 'linnet-home-'))
  onTestFinished(() => rmSync(HOME, { recursive: true }))
  return { HOME }
}
