import { open } from 'node:fs/promises'

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
const maxSide = 1_024

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Reads a PNG file. Throws a sentence that says what to do if it is not a PNG or too large. */
export async function readLogo(path: string): Promise<Logo> {
  const file = await readStart(path, maxBytes + 1)
  try {
    return await decodeLogo(file)
  } catch (error) {
    const what = error instanceof Error ? error.message : error
    throw new Error(
      `The logo ${path} ${what}. Use a PNG of at most 64 KiB and 1,024 pixels per side.`,
    )
  }
}

/** Decodes a PNG file. Throws an error whose message ends a sentence on what is wrong with it. */
export async function decodeLogo(file: Buffer): Promise<Logo> {
  if (file.length > maxBytes) throw new Error(`is larger than ${maxBytes / 1_024} KiB`)
  if (!file.subarray(0, signature.length).equals(signature)) throw new Error('is not a PNG file')
  // Checked before decoding, because a small file can claim to be a huge image.
  const [width, height] = file.length < 24 ? [0, 0] : [file.readUInt32BE(16), file.readUInt32BE(20)]
  if (Math.max(width, height) > maxSide) throw new Error(`has more than ${maxSide} pixels per side`)
  const { PNG } = await import('pngjs')
  try {
    return { file, width, height, pixels: PNG.sync.read(file).data }
  } catch (error) {
    throw new Error(`cannot be decoded: ${error instanceof Error ? error.message : error}`)
  }
}

async function readStart(path: string, bytes: number): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
