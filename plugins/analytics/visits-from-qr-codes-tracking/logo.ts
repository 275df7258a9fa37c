import { open } from 'node:fs/promises'

/** A picture for the middle of QR codes. */
export interface Logo {
  /** The PNG file as it is. */
  readonly file: Buffer
  readonly width: number
  readonly height: number
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly pixels: Uint8Array
}

/** It goes into every SVG whole. */
const maxBytes = 64 * 1_024
const maxSide = 1_024

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Read a PNG file. Throws a sentence with the remedy when it is none, or too large. */
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

/** The picture in a PNG file. Throws what is wrong with it, as the end of a sentence. */
export async function decodeLogo(file: Buffer): Promise<Logo> {
  if (file.length > maxBytes) throw new Error(`is larger than ${maxBytes / 1_024} KiB`)
  if (!file.subarray(0, signature.length).equals(signature)) throw new Error('is not a PNG file')
  // Looked at before it is decoded: a small file can say that it is a huge picture.
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
