import { SourceError, type SourceFile } from '../source.ts'

/**
 * A text file as UTF-8, whatever it is written in: UTF-8, UTF-16, or Windows-1252, which is Latin-1 with more letters. Throws for
 * what is no text. Reads it twice, since a letter of Latin-1 may come late.
 */
export async function* readTextFile(
  file: SourceFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const encoding = await encodingOf(file, signal)
  if (encoding === 'utf-8') yield* withoutMark(file.read())
  else yield* recoded(file, encoding)
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

async function encodingOf(file: SourceFile, signal: AbortSignal): Promise<Encoding> {
  const start = await startOf(file)
  const wide = utf16Of(start)
  if (wide) return wide
  refuseBinary(file, start)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isValid = true
  for await (const bytes of file.read()) {
    signal.throwIfAborted()
    if (bytes.includes(0)) throw noText(file)
    isValid &&= isWhole(() => decoder.decode(bytes, { stream: true }))
  }
  return isValid && isWhole(() => decoder.decode()) ? 'utf-8' : 'windows-1252'
}

function isWhole(decode: () => string): boolean {
  try {
    decode()
    return true
  } catch {
    return false
  }
}

async function startOf(file: SourceFile): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of file.read()) {
    parts.push(part)
    bytes += part.length
    if (bytes >= 512) break
  }
  return Buffer.concat(parts).subarray(0, 512)
}

/** By its mark, or since every other byte of the letters that all languages of tables share is zero. */
function utf16Of(start: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [index, byte] of start.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = start.length * 0.3
  if (odd > most && even === 0) return 'utf-16le'
  if (even > most && odd === 0) return 'utf-16be'
  return undefined
}

const kinds: readonly (readonly [start: string, kind: string])[] = [
  ['PK\x03\x04', 'is a spreadsheet or a zip file. Save the table as CSV, or unpack it'],
  ['\xd0\xcf\x11\xe0', 'is a spreadsheet. Save the table as CSV'],
  ['SQLite format 3', 'is a database. Choose the program that it comes from'],
  ['%PDF-', 'is a PDF. Export the links as CSV'],
]

function refuseBinary(file: SourceFile, start: Buffer): void {
  const known = kinds.find(([mark]) => start.toString('latin1', 0, mark.length) === mark)
  if (known) throw new SourceError(`${file.name} ${known[1]}.`)
}

function noText(file: SourceFile): SourceError {
  return new SourceError(`${file.name} is no text: it has bytes that are zero. Choose a text file.`)
}

async function* withoutMark(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const part of parts) {
    if (start === undefined) {
      yield part
      continue
    }
    start = Buffer.concat([start, part])
    if (start.length < 3) continue
    yield start.subarray(start.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? 3 : 0)
    start = undefined
  }
  if (start?.length) yield start
}

async function* recoded(file: SourceFile, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' })
  try {
    for await (const part of file.read()) yield Buffer.from(decoder.decode(part, { stream: true }))
    yield Buffer.from(decoder.decode())
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new SourceError(`${file.name} begins as UTF-16, and is not whole. Save it as UTF-8.`)
  }
}
