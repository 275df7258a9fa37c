import { SourceError, type SourceFile } from '../source.ts'

/** In what a text is written. Windows-1252 is Latin-1 with more letters. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** A text file as UTF-8, of what `encodingOf` says that it is written in. */
export function readTextFile(file: SourceFile, encoding: Encoding): AsyncGenerator<Uint8Array> {
  return encoding === 'utf-8' ? withoutMark(file.read()) : recoded(file, encoding)
}

/** Throws for what is no text. Reads all of it, since a letter of Latin-1 may come late. */
export async function encodingOf(file: SourceFile, signal: AbortSignal): Promise<Encoding> {
  const start = await startOf(file)
  const wide = utf16Of(start)
  if (wide) return wide
  refuseBinary(file, start)
  if (await isUtf8(file, signal)) return 'utf-8'
  await refuseBroken(file, signal)
  return 'windows-1252'
}

async function isUtf8(file: SourceFile, signal: AbortSignal): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of file.read()) {
    signal.throwIfAborted()
    if (bytes.includes(0) || !isWhole(() => decoder.decode(bytes, { stream: true }))) return false
  }
  return isWhole(() => decoder.decode())
}

/** A line break, letters of UTF-8 beyond ASCII, or any other byte beyond it; each byte is a character here. */
const marks =
  /\n|((?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+)|[\x80-\xff]/g

/** A letter of UTF-8 that may go on in what is read next. */
const begun = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/

/**
 * Throws for zeros, and for what was UTF-8 before a part of it was written or cut otherwise: as Windows-1252, every letter and
 * code in it would be another.
 */
async function refuseBroken(file: SourceFile, signal: AbortSignal): Promise<void> {
  let line = 1
  let inUtf8: number | undefined
  let inOther: number | undefined
  let rest = ''
  for await (const bytes of file.read()) {
    signal.throwIfAborted()
    const [text = '', ...afterZero] = `${rest}${Buffer.from(bytes).toString('latin1')}`.split(
      '\0',
      2,
    )
    rest = afterZero.length === 0 ? (begun.exec(text.slice(-3))?.[0] ?? '') : ''
    for (const [mark, letters] of text.slice(0, text.length - rest.length).matchAll(marks)) {
      if (mark === '\n') line += 1
      else if (letters) inUtf8 ??= line
      else inOther ??= line
      if (inUtf8 !== undefined && inOther !== undefined) throw mixed(file, inUtf8, inOther)
    }
    if (afterZero.length > 0) throw noText(file, line)
  }
  if (rest !== '' && inOther === undefined) throw cutOff(file, line)
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

function noText(file: SourceFile, line: number): SourceError {
  return new SourceError(
    `${file.name} is no text: line ${line} has bytes that are zero. Choose a text file.`,
  )
}

function mixed(file: SourceFile, inUtf8: number, inOther: number): SourceError {
  return new SourceError(
    `${file.name} is not in one encoding: line ${inOther} has a letter that is not in UTF-8, and line ${inUtf8} has one that is. Save all of it as UTF-8.`,
  )
}

function cutOff(file: SourceFile, line: number): SourceError {
  return new SourceError(
    `${file.name} ends in line ${line} in the middle of a letter, as if it was cut off. Export it once more, or save it as UTF-8.`,
  )
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
