import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../../../core/plugin.ts'
import type { BundleFile, Part, PlainUrl } from './format.ts'
import { formats } from './formats.ts'
import type { LeftOut } from './plain-urls.ts'

/** Files with which another server redirects as links do, while they are written. */
export interface Bundle {
  take(some: readonly (PlainUrl | LeftOut)[]): Promise<void>
  /** Resolves to how many short URLs are in it, and how many links are not. */
  finish(): Promise<{ readonly written: number; readonly left: number }>
}

const leftOut = 'left-out.txt'

/**
 * Begins a bundle in a folder that is there. The lines of each host are collected in a file of its own first, because links
 * come by account, and there may be a million.
 */
export function beginBundle(name: keyof typeof formats, folder: string, context: Context): Bundle {
  const format = formats[name]
  const parts = new Map<string, Part>()
  let written = 0
  let left = 0

  /** The file that a line goes to, with what stands before it there. */
  function partFor({ host, status }: PlainUrl): {
    readonly lines: string
    readonly before: string
  } {
    const key = 'isByStatus' in format ? `${host} ${status}` : host
    const known = parts.get(key)
    if (known) return { lines: known.lines, before: format.separator }
    const lines = `.part-${parts.size}`
    parts.set(key, { host, status, lines })
    return { lines, before: '' }
  }

  return {
    async take(some) {
      const texts = new Map([[leftOut, '']])
      const add = (file: string, text: string) => texts.set(file, (texts.get(file) ?? '') + text)
      for (const of of some) {
        const line = 'because' in of ? { problem: of.because } : format.line(of)
        if (typeof line === 'string') {
          const { lines, before } = partFor(of as PlainUrl)
          add(lines, `${before}${line}`)
          written += 1
        } else {
          add(leftOut, `${shortUrlOf(of)} ${line.problem}\n`)
          left += 1
        }
      }
      for (const [file, text] of texts) await appendFile(join(folder, file), text)
    },

    async finish() {
      const all = [...parts.values()]
      for (const file of [...format.files(all), readme(name, context)]) await assemble(folder, file)
      for (const { lines } of all) await rm(join(folder, lines))
      return { written, left }
    },
  }
}

function shortUrlOf(of: PlainUrl | LeftOut): string {
  return 'because' in of ? of.shortUrl : `https://${of.host}${encodeURI(of.path)}`
}

async function assemble(folder: string, { name, pieces }: BundleFile): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  async function* content() {
    for (const piece of pieces) {
      if (typeof piece === 'string') yield piece
      else yield* createReadStream(join(folder, piece.lines))
    }
  }
  await pipeline(Readable.from(content()), createWriteStream(path))
}

function readme(name: keyof typeof formats, { now }: Context): BundleFile {
  const text = `# Links for ${name}

Made by Linnet on ${now().toISOString()}. With these files the links go on while Linnet does not run.

${formats[name].readme}

- \`left-out.txt\` lists the links that are not in them, and why: what a visitor has to be asked, and what depends on the time or
  on who visits, needs Linnet.
- Codes lead as they are written. Where Linnet ignores upper and lower case or hyphens, other spellings end here, and so do codes with a slash behind them.
- Visits are not counted.
`
  return { name: 'README.md', pieces: [text] }
}
