import { crc32, deflateSync } from 'node:zlib'
import {
  type Context,
  type File,
  file,
  type LinkView,
  type MountRequest,
  notFound,
  type Refusal,
} from '../../../core/plugin.ts'

/** Where a code is drawn, with what the printed address said of it. */
export function qrCodeUrl(links: Context['links'], link: LinkView, query: URLSearchParams): string {
  const { shortCode, domain } = link
  // The dashboard and the API may have another host, which has no mounts.
  const url = new URL(links.mainUrl('/rest/qr-code'))
  url.searchParams.set('code', shortCode)
  if (domain !== '') url.searchParams.set('domain', domain)
  for (const name of ['size', 'format', 'margin', 'errorCorrection']) {
    const value = query.get(name)
    if (value !== null) url.searchParams.set(name, value.slice(0, 20))
  }
  return url.href
}

const levels: Readonly<Record<string, 'L' | 'M' | 'Q' | 'H'>> = {
  l: 'L',
  low: 'L',
  m: 'M',
  medium: 'M',
  q: 'Q',
  quartile: 'Q',
  h: 'H',
  high: 'H',
}

/** Draws the QR code of a short URL, which is all that it shows, so anybody may. */
export async function drawQrCode(
  { method, query }: MountRequest,
  { links }: Pick<Context, 'links'>,
): Promise<File | Refusal> {
  if (method !== 'GET') return notFound
  const link = await links.findByCode(query.get('code') ?? '', query.get('domain') ?? undefined)
  if (!link) return notFound
  const size = numberIn(query.get('size'), 300, 50, 1_000)
  const margin = numberIn(query.get('margin'), 0, 0, 100)
  const level = levels[query.get('errorCorrection')?.toLowerCase() ?? ''] ?? 'L'
  const { default: QrCode } = await import('qrcode')
  const { modules } = QrCode.create(links.shortUrl(link), { errorCorrectionLevel: level })
  const isDark = (x: number, y: number) => modules.get(y, x) === 1
  if (query.get('format') === 'svg') {
    return file('image/svg+xml', svgOf(modules.size, { size, margin }, isDark), anHour)
  }
  return file('image/png', pngOf(modules.size, { size, margin }, isDark), anHour)
}

const anHour = 3_600

interface Picture {
  /** In pixels, the margin not included. */
  readonly size: number
  /** In pixels, on each side. */
  readonly margin: number
}

type IsDark = (x: number, y: number) => boolean

function svgOf(count: number, { size, margin }: Picture, isDark: IsDark): string {
  const whole = size + 2 * margin
  const rows = Array.from({ length: count }, (_, y) =>
    Array.from({ length: count }, (_, x) => (isDark(x, y) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${whole}"><rect width="100%" height="100%" fill="#fff"/><svg x="${margin}" y="${margin}" width="${size}" height="${size}" viewBox="0 0 ${count} ${count}" shape-rendering="crispEdges"><path d="${rows.join('')}"/></svg></svg>`
}

/** A PNG of black and white: https://www.w3.org/TR/png-3/ */
function pngOf(count: number, { size, margin }: Picture, isDark: IsDark): Buffer {
  const whole = size + 2 * margin
  const stride = 1 + Math.ceil(whole / 8)
  const pixels = Buffer.alloc(stride * whole, 0xff)
  const moduleAt = (pixel: number) => Math.floor(((pixel - margin) * count) / size)
  for (let y = 0; y < whole; y += 1) {
    // No filter.
    pixels[y * stride] = 0
    for (let x = margin; x < margin + size; x += 1) {
      const isInside = y >= margin && y < margin + size
      if (!isInside || !isDark(moduleAt(x), moduleAt(y))) continue
      const at = y * stride + 1 + (x >> 3)
      pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7))
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(whole, 0)
  head.writeUInt32BE(whole, 4)
  // One bit for each pixel, in grey.
  head[8] = 1
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const parts = [
    part('IHDR', head),
    part('IDAT', deflateSync(pixels)),
    part('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...parts])
}

function part(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function numberIn(text: string | null, usual: number, min: number, max: number): number {
  return text !== null && /^\d{1,6}$/.test(text)
    ? Math.min(max, Math.max(min, Number(text)))
    : usual
}
