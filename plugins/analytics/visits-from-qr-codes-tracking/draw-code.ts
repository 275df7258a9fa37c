import { type File, file, type Refusal, refuse } from '../../../core/plugin.ts'
import { readColor } from './color.ts'
import { isSquare } from './figure.ts'
import type { Logo } from './logo.ts'
import type { Look } from './look.ts'
import { holeIn, type Modules, withHole } from './modules.ts'
import { drawPaintedPng } from './painted-png.ts'
import { drawPng, smallestPng } from './png.ts'
import { drawSvg } from './svg.ts'

/** The parameter that codes add to the short URL (`?qr`), to distinguish their visits. */
export const marker = 'qr'

/** The URL in a code. It is the short URL, so the guards of the link apply. */
export function addressOf(shortUrl: string): string {
  return `${shortUrl}?${marker}`
}

/** A logo covers a part of the code, so a code with a logo has the highest error correction. */
export async function encode(
  url: string,
  level: Look['level'],
  hasLogo: boolean,
): Promise<Modules> {
  // Loaded only to draw codes, not to count visits.
  const { default: QrCode } = await import('qrcode')
  const whole = QrCode.create(url, { errorCorrectionLevel: hasLogo ? 'H' : level }).modules
  return hasLogo ? withHole(whole, holeIn(whole)) : whole
}

/** The picture of a code, in its look. */
export async function draw(
  url: string,
  query: Look & { readonly format: 'svg' | 'png'; readonly age: number },
  found: Logo | undefined,
): Promise<File | Refusal> {
  const { format, size, margin, age } = query
  const logo = query.logo === '1' ? found : undefined
  if (query.logo === '1' && !logo) return noLogo
  const modules = await encode(url, query.level, logo !== undefined)
  const [dark, light] = [readColor(query.dark), readColor(query.light)]
  const look = { size, margin, dark, light, shape: query.shape, eyes: query.eyes }
  if (format === 'svg') return file('image/svg+xml', drawSvg(modules, { ...look, logo }), age)
  const smallest = smallestPng(modules, margin)
  if (size < smallest) {
    const detail = `Must be at least ${smallest}: smaller ones cannot be scanned. An SVG can.`
    return refuse('validation_failed', detail, 422, 'size')
  }
  const isPlain = !logo && isSquare(look)
  const png = isPlain ? drawPng(modules, look) : drawPaintedPng(modules, { ...look, logo })
  return file('image/png', await png, age)
}

const noLogo = refuse(
  'validation_failed',
  'Neither you nor this instance has a logo. Upload one first.',
  422,
  'logo',
)
