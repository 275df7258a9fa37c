import { readRegularFile } from '../../../core/plugin.ts'

/** An image for the middle of QR codes. */
export interface Logo {
  /** The original PNG file. */
  readonly file: Buffer
  readonly width: number
  readonly height: number
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly pixels: Uint8Array
}

/** Small, because every SVG contains the whole file. */
const maxBytes = 64 * 1_024

/** A code shows no more detail, and redirects wait while it is decoded: for some milliseconds. */
const maxSide = 256
const headerBytes = 13
const notWhole = 'cannot be decoded: it is damaged, or not a whole PNG file'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Reads a PNG file. Throws a sentence that says what to do if it is not a PNG or too large. */
export async function readLogo(path: string): Promise<Logo> {
  const logo = await readRegularFile(path, maxBytes).then(decodeLogo, whyUnread)
  if (typeof logo !== 'string') return logo
  throw new Error(`The logo ${path} ${logo}. Use a PNG of at most 64 KiB and 256 pixels per side.`)
}

function whyUnread(error: Error): string {
  return `cannot be read: ${error.message}`
}

/** Decodes a PNG file. Returns the end of a sentence about the file if that is not possible. */
export async function decodeLogo(file: Buffer): Promise<Logo | string> {
  if (file.length > maxBytes) return `is larger than ${maxBytes / 1_024} KiB`
  if (!file.subarray(0, signature.length).equals(signature)) return 'is not a PNG file'
  const [header, ...others] = headersIn(file)
  if (header?.length !== headerBytes || others.length > 0) return notWhole
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (Math.min(width, height) < 1) return notWhole
  if (Math.max(width, height) > maxSide) return `has more than ${maxSide} pixels per side`
  // These take several times as long, and nobody sees a difference.
  if (header[8] === 16) return 'has 16 bits per colour: save it with 8'
  // An interlaced image would be unpacked whole, however much larger than its width and height that is.
  if (header[12] !== 0) return 'is interlaced: save it without interlacing'
  const { PNG } = await loadPng()
  try {
    return { file, width, height, pixels: PNG.sync.read(file).data }
  } catch {
    return notWhole
  }
}

/** Loaded only for logos. A bundled CommonJS package has only its default export when it is loaded like this. */
export async function loadPng(): Promise<typeof import('pngjs')> {
  const { default: pngjs } = await import('pngjs')
  return pngjs
}

/** All headers of a PNG file. A decoder believes the last one, so a file that was checked has only one. */
function headersIn(file: Buffer): readonly Buffer[] {
  const headers: Buffer[] = []
  for (let at = signature.length; at + 8 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === 'IHDR') headers.push(file.subarray(at + 8, end))
    at = end + 4
  }
  return headers
}
