import { openAsBlob, statSync } from 'node:fs'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { showHidden } from '../core/lib/text/shown.ts'
import { UserError } from '../core/lib/user-error.ts'
import type { Env } from '../core/lib/variable-text.ts'
import { Interrupted } from './failures.ts'

/** What a command reads and writes. */
export interface Io {
  readonly env: Env
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY: boolean; readonly columns: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY: boolean }
  readonly fetch: typeof fetch
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** Whether a program reads what a command says. */
export function asksJson(words: readonly string[]): boolean {
  return words.includes('--json')
}

/** Where commander writes help and, unless a program reads it, what was typed wrongly. */
export function outputOf({ stdout, stderr }: Io, words: readonly string[]) {
  return {
    writeOut: (text: string) => stdout.write(text),
    writeErr: (text: string) => (asksJson(words) ? undefined : stderr.write(text)),
  }
}

/** Some terminals of containers and of CI do not know how wide they are. */
const usualWidth = 80

/** How wide lines may be; undefined where no terminal shows them. */
export function widthOf({ stdout }: Io): number | undefined {
  return stdout.isTTY ? stdout.columns || usualWidth : undefined
}

/** Writes lines, and resolves when somebody took them, so that a long list does not fill the memory. */
export function print({ stdout }: Pick<Io, 'stdout'>, ...lines: readonly string[]): Promise<void> {
  const text = lines.map(line => `${line}\n`).join('')
  return new Promise(resolve => stdout.write(text, () => resolve()))
}

export function printJson(io: Io, value: unknown): Promise<void> {
  return print(io, JSON.stringify(value, null, 2))
}

/** Tells people something that is no part of the result. */
export function tell({ stderr }: Pick<Io, 'stderr'>, line: string): void {
  // It may have what a server says, which may steer the terminal.
  stderr.write(`${line.split('\n').map(showHidden).join('\n')}\n`)
}

/** How often progress is shown, in milliseconds. */
const progressMs = 100

/** How far something is that takes long, in a line of a terminal that the next one replaces. */
export function progressOn({ stderr }: Io) {
  let shownAt = 0
  return {
    show(text: () => string): void {
      const now = performance.now()
      if (!stderr.isTTY || now - shownAt < progressMs) return
      shownAt = now
      stderr.write(`\r\u001b[K${text()}`)
    },
    hide(): void {
      if (shownAt > 0) stderr.write('\r\u001b[K')
      shownAt = 0
    },
  }
}

/** Asks on the terminal without showing what is typed. Without a terminal, reads all of standard input. */
export async function askSecret({ stdin, stderr }: Io, question: string): Promise<string> {
  if (!stdin.isTTY) return (await text(stdin)).trim()
  stderr.write(question)
  const silent = new Writable({ write: (_, __, done) => done() })
  try {
    return await answerTo('', createInterface({ input: stdin, output: silent, terminal: true }))
  } finally {
    stderr.write('\n')
  }
}

/** Asks for a yes. */
export async function isWanted({ stdin, stderr }: Io, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr })
  return /^y(es)?$/i.test(await answerTo(`${question} [y/N] `, lines))
}

/** While somebody types on a terminal, Ctrl-C is a key, and no signal. */
async function answerTo(question: string, lines: Interface): Promise<string> {
  try {
    return await new Promise((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Interrupted('Interrupted.')))
      lines.once('close', () => reject(new Interrupted('Nothing was entered.')))
      lines.question(question).then(answer => resolve(answer.trim()), reject)
    })
  } finally {
    lines.close()
  }
}

/** A file as the body of a request, which is read as it is sent. */
export async function fileToSend(path: string): Promise<Blob> {
  // Tells whether it is there, which the next line does not.
  if (!statSync(path).isFile()) throw new UserError(`${path} is not a file.`)
  return openAsBlob(path)
}
