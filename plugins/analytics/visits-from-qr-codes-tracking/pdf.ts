import { deflateSync } from 'node:zlib'

/** An image for pages: colors, and the opacity of each pixel. */
export interface PdfImage {
  readonly width: number
  readonly height: number
  /** Three bytes per pixel. */
  readonly colors: Uint8Array
  /** One byte per pixel. */
  readonly opacity: Uint8Array
}

export interface PdfPages {
  /** In points, 72 per inch. */
  readonly width: number
  readonly height: number
  readonly title: string
  /** The PDF operators of each page. The font is `F`, and the image is `I`. */
  readonly pages: readonly string[]
  readonly image: PdfImage | undefined
}

/** Writes a PDF document, with the few parts of https://www.iso.org/standard/75839.html that it needs. */
export function writePdf({ width, height, title, pages, image }: PdfPages): Buffer {
  const objects: Buffer[] = []
  /** Returns the number by which other objects refer to this one. */
  const add = (body: string | Buffer): number => objects.push(Buffer.from(body))

  const catalog = add('<< /Type /Catalog /Pages 2 0 R >>')
  const tree = add('')
  const info = add(`<< /Title ${textOf(title)} >>`)
  const font = add(
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  )
  const picture = image && addImage(image)
  const resources = `<< /Font << /F ${font} 0 R >>${picture ? ` /XObject << /I ${picture} 0 R >>` : ''} >>`
  const kids = pages.map(content => {
    const drawn = add(stream('', Buffer.from(content, 'latin1')))
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${width} ${height}] /Resources ${resources} /Contents ${drawn} 0 R >>`,
    )
  })
  const list = kids.map(kid => `${kid} 0 R`).join(' ')
  objects[tree - 1] = Buffer.from(`<< /Type /Pages /Kids [${list}] /Count ${kids.length} >>`)
  return together(objects, `/Root ${catalog} 0 R /Info ${info} 0 R`)

  function addImage({ width, height, colors, opacity }: PdfImage): number {
    const head = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`
    const mask = add(stream(`${head} /ColorSpace /DeviceGray`, opacity))
    return add(stream(`${head} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`, colors))
  }
}

function stream(head: string, content: Uint8Array): Buffer {
  const packed = deflateSync(content)
  return Buffer.concat([
    Buffer.from(`<< ${head} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ])
}

/** A PDF string. Characters beyond ASCII become question marks. */
export function textOf(text: string): string {
  return `(${text.replace(/[\\()]/g, letter => `\\${letter}`).replace(/[^ -~]/g, '?')})`
}

function together(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let length = parts[0]?.length ?? 0
  const places = objects.map((body, index) => {
    const place = length
    const whole = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      body,
      Buffer.from('\nendobj\n'),
    ])
    parts.push(whole)
    length += whole.length
    return place
  })
  const table = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
