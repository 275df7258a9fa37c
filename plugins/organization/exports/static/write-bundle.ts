import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Context, KnownAccount } from '../../../../core/plugin.ts'
import type { BundleFile, Part, PlainUrl } from './format.ts'
import { formats } from './formats.ts'
import { type LeftOut, plainUrls } from './plain-urls.ts'

/** What a bundle is made of. */
interface Wanted {
  readonly accounts: AsyncIterable<readonly KnownAccount[]>
  readonly format: keyof typeof formats
  readonly folder: string
  /** Of links that choose none. */
  readonly status: number
}

/**
 * Writes files with which another server redirects as links do. The lines of each host are collected in a file of its own first,
 * because links come by account, and there may be a million.
 */
export async function writeBundle(
  { accounts, format: name, folder, status }: Wanted,
  context: Context,
): Promise<{ readonly written: number; readonly left: number }> {
  const format = formats[name]
  const parts = new Map<string, { readonly part: Part; readonly to: WriteStream }>()
  const leftOut = createWriteStream(join(folder, 'left-out.txt'))
  let written = 0
  let left = 0

  async function leaveOut({ shortUrl, because }: LeftOut): Promise<void> {
    left += 1
    await write(leftOut, `${shortUrl} ${because}\n`)
  }

  async function take(of: PlainUrl): Promise<void> {
    const line = format.line(of)
    if (typeof line !== 'string') {
      return leaveOut({
        shortUrl: `https://${of.host}${encodeURI(of.path)}`,
        because: line.problem,
      })
    }
    const key = 'isByStatus' in format ? `${of.host} ${of.status}` : of.host
    const known = parts.get(key)
    const lines = `.part-${parts.size}`
    const one = known ?? {
      part: { host: of.host, status: of.status, lines },
      to: createWriteStream(join(folder, lines)),
    }
    parts.set(key, one)
    await write(one.to, `${known ? format.separator : ''}${line}`)
    written += 1
  }

  for await (const it of plainUrls({ accounts, status }, context)) {
    await ('because' in it ? leaveOut(it) : take(it))
  }
  const all = [...parts.values()]
  await Promise.all([leftOut, ...all.map(({ to }) => to)].map(end))
  const ofParts = all.map(({ part }) => part)
  for (const file of [...format.files(ofParts), readme(name, context)]) await assemble(folder, file)
  for (const { lines } of ofParts) await rm(join(folder, lines))
  return { written, left }
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

async function write(to: WriteStream, text: string): Promise<void> {
  if (!to.write(text)) await once(to, 'drain')
}

function end(stream: WriteStream): Promise<void> {
  stream.end()
  return finished(stream)
}

function readme(name: keyof typeof formats, { now }: Context): BundleFile {
  const text = `# Links for ${name}

Made by Linnet on ${now().toISOString()}. With these files the links go on while Linnet does not run.

${formats[name].readme}

- \`left-out.txt\` lists the links that are not in them, and why: what a visitor has to be asked, and what depends on the time or
  on who visits, needs Linnet.
- Codes lead as they are written. Where Linnet ignores upper and lower case or hyphens, other spellings end here.
- Visits are not counted.
`
  return { name: 'README.md', pieces: [text] }
}
