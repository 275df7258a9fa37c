import { Problem } from '../../../api/client/problem.ts'
import { qrTexts } from '../../../texts/qr.ts'

/** The sizes to try for the longest side, in pixels: a code shows no more detail of a logo. */
const sides = [256, 128]

/** The largest PNG that the API accepts, in bytes. */
const maxBytes = 64 * 1_024

/** Converts any image that the browser can read to a PNG, small enough for the API, as a data URI. */
export async function asSmallPng(file: File): Promise<string> {
  const image = await read(file)
  for (const side of sides) {
    const png = draw(image, side)
    if (bytesOf(png) <= maxBytes) return png
  }
  throw wrong(qrTexts.tooLarge)
}

async function read(file: File): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  try {
    await image.decode()
  } catch {
    throw wrong(qrTexts.noImage)
  }
  return image
}

function wrong(detail: string): Problem {
  return new Problem({ status: 422, code: 'validation_failed', detail })
}

function draw(image: HTMLImageElement, most: number): string {
  // An SVG may have no size.
  const [width, height] = [image.naturalWidth || most, image.naturalHeight || most]
  const scale = Math.min(1, most / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(Math.round(width * scale), 1)
  canvas.height = Math.max(Math.round(height * scale), 1)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png')
}

function bytesOf(dataUri: string): number {
  return ((dataUri.length - dataUri.indexOf(',') - 1) * 3) / 4
}
