import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import type { Color } from './color.ts'
import type { Modules } from './modules.ts'

/**
 * Draws modules as a PNG of two colors, `size` pixels wide. Each module is a whole number of pixels wide, and the
 * margin gets the rest. A general encoder looks at every pixel, which would delay redirects for half a second at this
 * size; this one takes a few milliseconds.
 */
export async function drawPng(
  modules: Modules,
  { size, margin, dark, light }: { size: number; margin: number; dark: Color; light: Color },
): Promise<Buffer> {
  const { width, border } = layOut(modules, size, margin)
  const empty = emptyRow(size)
  const rows = Array.from({ length: size }, () => empty)
  for (let row = 0; row < modules.size; row++) {
    const drawn = emptyRow(size)
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) darken(drawn, border + column * width, width)
    }
    rows.fill(drawn, border + row * width, border + (row + 1) * width)
  }
  return encodePng(size, 1, Buffer.concat(rows), [light, dark])
}

/** The width of a module in pixels, and where the first one begins. */
export function layOut(
  modules: Modules,
  size: number,
  margin: number,
): { readonly width: number; readonly border: number } {
  const width = Math.floor(size / (modules.size + 2 * margin))
  return { width, border: Math.floor((size - modules.size * width) / 2) }
}

/** The width in pixels of an image with modules of two pixels. Smaller ones are blurred. */
export function smallestPng(modules: Modules, margin: number): number {
  return 2 * (modules.size + 2 * margin)
}

/** A byte that says "not filtered", followed by one bit per pixel. */
function emptyRow(pixels: number): Buffer {
  return Buffer.alloc(1 + Math.ceil(pixels / 8))
}

function darken(row: Buffer, from: number, count: number): void {
  for (let pixel = from; pixel < from + count; pixel++) {
    const place = 1 + (pixel >> 3)
    row[place] = (row[place] ?? 0) | (0x80 >> (pixel & 7))
  }
}

const compress = promisify(deflate)

/** Encodes a square of palette indexes of 1 or 8 bits each as PNG: https://www.w3.org/TR/png-3 */
export async function encodePng(
  size: number,
  bits: 1 | 8,
  rows: Buffer,
  palette: readonly Color[],
): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([bits, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(color => color.slice(0, 3)))),
    chunk('tRNS', Buffer.from(palette.map(([, , , opacity]) => opacity))),
    chunk('IDAT', await compress(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
