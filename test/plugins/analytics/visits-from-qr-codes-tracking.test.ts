import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateSync } from 'node:zlib'
import decode from 'jsqr'
import { PNG } from 'pngjs'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import visitsFromQrCodes from '../../../plugins/analytics/visits-from-qr-codes-tracking.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import { aPerson } from '../../api/people.ts'
import { firstOf, oneOf } from '../../at-night.ts'
import { type Answer, boot, type Harness, type ShownLink } from '../../harness.ts'
import { agents } from './agents.ts'

let linnet: Harness
let link: ShownLink

beforeEach(async () => {
  linnet = await boot([passwordProtection, visitsTracking, visitsFromQrCodes])
  link = await linnet.create()
})
afterEach(() => linnet.stop())

const draw = (query = '', of: Pick<ShownLink, 'id'> = link) =>
  linnet.api('GET', `/links/${of.id}/qr${query}`)

/** What a camera reads in a PNG. */
function scan({ body }: Answer): string | undefined {
  const { data, width, height } = PNG.sync.read(body)
  // Light on dark is what many scanners cannot read.
  const asItIs = { inversionAttempts: 'dontInvert' } as const
  return decode(new Uint8ClampedArray(data), width, height, asItIs)?.data
}

describe('the QR code of a link', () => {
  it('leads to the short URL, and its visits are told from others', async () => {
    const url = new URL(scan(await draw('?format=png')) ?? '')
    expect(url.href).toBe(`${link.shortUrl}?qr`)

    await linnet.visit(link)
    const scanned = await linnet.visit(url.pathname.slice(1), { query: url.search })
    expect(scanned).toMatchObject({ status: 302, location: 'https://example.com/' })
    expect(await linnet.counts(link)).toMatchObject({
      visits: { '': 2 },
      visitsFromQrCodes: { '': 1 },
    })
    const shown = await linnet.api('GET', `/links/${link.id}`)
    expect(shown.body.data.visits).toEqual({ total: 2, fromQrCodes: 1 })
  })

  it('is found where the link says', async () => {
    expect(link.qrCodeUrl).toBe(`https://go.example.org/api/v1/links/${link.id}/qr`)
  })

  it('is an SVG unless asked for otherwise: well-formed, and without a script', async () => {
    const { status, headers, body } = await draw()
    const svg = body.toString()
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox$/)
    expect(headers['cache-control']).toBe('private, max-age=60')
    expect(elementsOf(svg)).toEqual(['svg', 'path', 'path'])
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="512" height="512"/)
    expect(svg).not.toMatch(/script|href|\son|style|url\(|&/i)
  })

  it.each(
    firstOf<[string, number]>(4, [
      ['?format=png&size=64&margin=0', 64],
      ['?format=png&size=74', 74],
      ['?format=png&size=300&margin=1&level=H', 300],
      ['?format=png&level=L&dark=%23123456&light=%23fffbe6', 512],
      ['?format=png', 512],
      ['?format=png&dark=%23000000CC', 512],
      ['?format=png&size=2048&margin=20', 2_048],
    ]),
  )('can be scanned with %s, and is %d pixels wide', async (query, size) => {
    const answer = await draw(query)
    expect(answer.headers['content-type']).toBe('image/png')
    expect(PNG.sync.read(answer.body)).toMatchObject({ width: size, height: size })
    expect(scan(answer)).toBe(`${link.shortUrl}?qr`)
  })

  it('can be transparent', async () => {
    const { body } = await draw('?format=png&light=%23FFFFFF00')
    expect(PNG.sync.read(body).data[3]).toBe(0)
  })

  it.each([
    ['format=jpeg', 'format'],
    ['size=63', 'size'],
    ['size=2049', 'size'],
    ['size=large', 'size'],
    ['format=png&size=73', 'size'],
    ['format=png&size=64&margin=20', 'size'],
    ['margin=-1', 'margin'],
    ['margin=21', 'margin'],
    ['level=X', 'level'],
    ['dark=black', 'dark'],
    ['dark=%23abc', 'dark'],
    ['light=%23ffffff%22/%3E%3Cscript%3E', 'light'],
    ['dark=%23FFFF00', 'dark'],
    ['dark=%23FFFFFF&light=%23000000', 'dark'],
    ['light=%23222222', 'light'],
    ['dark=%23000000&light=%23222222', 'light'],
    ['dark=%2300000010', 'dark'],
    ['shape=star', 'shape'],
    ['eyes=dots', 'eyes'],
    ['color=red', 'color'],
  ])('is not drawn with %s: the answer names %s', async (query, field) => {
    const { status, body } = await draw(`?${query}`)
    expect([status, body.errors.map((error: { field: string }) => error.field)]).toEqual([
      422,
      [field],
    ])
  })

  it('names everything that is wrong at once', async () => {
    const { body } = await draw('?size=1&level=X&dark=red')
    expect(body.errors).toMatchObject([{ field: 'size' }, { field: 'level' }, { field: 'dark' }])
  })

  it('of a protected link keeps its original URL to itself', async () => {
    const secret = await linnet.create({
      originalUrl: 'https://secret.example/',
      password: 'sesame',
    })
    expect(scan(await draw('?format=png', secret))).toBe(`${secret.shortUrl}?qr`)
    expect((await draw('', secret)).body.toString()).not.toContain('secret')
  })

  it('is there for who owns the link alone', async () => {
    expect(await draw('', { id: 'lnk_nothing' })).toMatchObject({ status: 404 })
  })
})

describe('the look of QR codes', () => {
  const look = (method: string, body?: object, of = '') => linnet.api(method, `${of}/qr-look`, body)
  const own = () => `/links/${link.id}`
  const drawn = async () => (await draw()).body.toString()

  it('is kept for the account, and for a link that has its own', async () => {
    expect((await look('GET')).body).toEqual({
      data: {
        ...{ size: 512, margin: 4, level: 'M', dark: '#000000', light: '#FFFFFF' },
        ...{ shape: 'square', eyes: 'square', logo: '0' },
      },
      meta: { isOwn: false },
    })
    const kept = await look('PATCH', { dark: '#0b5394', size: 640 })
    expect(kept.body).toMatchObject({ data: { dark: '#0b5394', size: 640 }, meta: { isOwn: true } })
    expect(await drawn()).toMatch(/width="640".*#0b5394/)
    expect((await look('GET', undefined, own())).body).toMatchObject({
      data: { dark: '#0b5394', size: 640 },
      meta: { isOwn: false },
    })
    expect((await draw('?dark=%23111111')).body.toString()).toMatch(/width="640".*#111111/)

    await look('PATCH', { dark: '#333333' }, own())
    await look('PATCH', { dark: '#a00000', size: 300 })
    expect(await drawn()).toMatch(/width="640".*#333333/)
    const other = await linnet.create()
    expect((await draw('', other)).body.toString()).toMatch(/width="300".*#a00000/)

    expect((await look('DELETE', undefined, own())).status).toBe(204)
    expect(await drawn()).toMatch(/width="300".*#a00000/)
    expect((await look('DELETE')).status).toBe(204)
    expect(await drawn()).toMatch(/width="512".*#000000/)
  })

  it.each(['', 'own'])(
    'is not changed over the head of who changed it meanwhile%s',
    async which => {
      const { id } = await linnet.create()
      const path = `${which === 'own' ? `/links/${id}` : ''}/qr-look`
      const ifMatch = async (method: string, body: object | undefined, etag: string) =>
        (await linnet.api(method, path, body, { 'If-Match': etag })).status
      const etagOf = ({ headers }: Answer) => String(headers.etag)
      const read = etagOf(await linnet.api('GET', path))
      const changed = await linnet.api('PATCH', path, { dark: '#0b5394' }, { 'If-Match': read })
      expect(changed.status).toBe(200)
      expect(await ifMatch('PATCH', { size: 640 }, read)).toBe(412)
      expect(await ifMatch('DELETE', undefined, read)).toBe(412)
      expect((await linnet.api('GET', path)).body.data).toMatchObject({
        dark: '#0b5394',
        size: 512,
      })
      expect(await ifMatch('PATCH', { size: 640 }, etagOf(changed))).toBe(200)
      expect(await ifMatch('DELETE', undefined, etagOf(await linnet.api('GET', path)))).toBe(204)
    },
  )

  it('of a link without its own has the ETag of the account’s', async () => {
    const { id } = await linnet.create()
    const versionOf = async (path: string) =>
      String((await linnet.api('GET', path)).headers.etag).split('.')[0]
    expect(await versionOf(`/links/${id}/qr-look`)).toBe(await versionOf('/qr-look'))
  })

  it('is kept short in caches where it may be another tomorrow', async () => {
    const whole =
      '?size=512&margin=4&level=M&dark=%23000000&light=%23FFFFFF&shape=square&eyes=square&logo=0'
    const ageOf = ({ headers }: Answer) => headers['cache-control']
    expect(ageOf(await draw(whole))).toContain('max-age=86400')
    expect(ageOf(await draw('?size=512'))).toContain('max-age=60')
  })

  it('is refused where no camera would find the code, and where there is no such link', async () => {
    await look('PATCH', { dark: '#0b5394' })
    for (const of of ['', own()]) {
      expect(await look('PATCH', { light: '#333333' }, of)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'dark' }] },
      })
      expect(await look('PATCH', { size: '640' }, of)).toMatchObject({ status: 422 })
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { dark: '#000000' } : undefined
      expect((await look(method, body, '/links/lnk_nothing')).status).toBe(404)
    }
    expect((await look('GET')).body.data.dark).toBe('#0b5394')
  })

  it('goes without its logo where the instance has none any more', async () => {
    await look('PATCH', { logo: '1' })
    expect((await draw()).status).toBe(200)
    expect((await draw('?logo=1')).status).toBe(422)
  })
})

/** A square of many colors, whose lower half is transparent. */
function aLogo(width = 256, height = 256): Buffer {
  const png = new PNG({ width, height })
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    png.data.set([(x * 255) / width, (y * 255) / height, 128, y < height / 2 ? 255 : 0], 4 * at)
  }
  return PNG.sync.write(png)
}

const interlace = (header: Buffer) => header.writeUInt8(1, 12)

/** The chunk of a PNG file with its length and checksum. */
function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** The header of a PNG file, changed. */
function header(png: Buffer, change: (header: Buffer) => void): Buffer {
  const content = Buffer.from(png.subarray(16, 29))
  change(content)
  return chunk('IHDR', content)
}

const withHeader = (png: Buffer, change: (header: Buffer) => void) =>
  Buffer.concat([png.subarray(0, 8), header(png, change), png.subarray(33)])

const withSecondHeader = (png: Buffer, change: (header: Buffer) => void) =>
  Buffer.concat([png.subarray(0, 33), header(png, change), png.subarray(33)])

const asUri = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`

describe('the shapes of a QR code', () => {
  const [shapes, kinds] = [
    ['square', 'rounded', 'dots'],
    ['square', 'rounded', 'circle'],
  ]
  // In every run each shape once, with other eyes.
  const all = shapes.flatMap((shape, place) =>
    oneOf(kinds, place).map(eyes => `shape=${shape}&eyes=${eyes}`),
  )

  const sized = (look: string) => [look, `${look}&size=180`, `${look}&size=1024&margin=1&logo=1`]
  it.each(all.flatMap((look, place) => oneOf(sized(look), place)))(
    'leave it readable, as %s',
    async query => {
      await linnet.api('POST', '/qr-logo', { image: asUri(aLogo()) })
      const answer = await draw(`?format=png&${query}`)
      expect([answer.status, scan(answer)]).toEqual([200, `${link.shortUrl}?qr`])
    },
  )

  it('are drawn in an SVG too, and kept with the look', async () => {
    await linnet.api('PATCH', '/qr-look', { shape: 'dots', eyes: 'circle' })
    const svg = (await draw()).body.toString()
    expect(elementsOf(svg)).toEqual(['svg', 'path', 'path'])
    expect(svg).toContain('a0.5 0.5 0 0 1')
    expect(svg).not.toContain('crispEdges')
    const square = (await draw('?shape=square&eyes=square')).body.toString()
    expect(square).toContain('crispEdges')
    expect(square).not.toMatch(/d="[^"]*a/)
  })
})

describe('an uploaded logo', () => {
  const upload = (image: string) => linnet.api('POST', '/qr-logo', { image })

  it('is in the codes of its account, scanned through, shown and removed', async () => {
    expect((await linnet.api('GET', '/qr-logo')).status).toBe(404)
    expect((await draw('?logo=1')).status).toBe(422)
    const uploaded = await upload(asUri(aLogo(256, 200)))
    expect([uploaded.status, uploaded.body.data]).toEqual([201, { width: 256, height: 200 }])
    const answer = await draw('?format=png&logo=1')
    expect(scan(answer)).toBe(`${link.shortUrl}?qr`)
    expect(answer.headers['cache-control']).toContain('max-age=60')
    const shown = await linnet.api('GET', '/qr-logo')
    expect(shown.headers['content-type']).toBe('image/png')
    expect(PNG.sync.read(shown.body)).toMatchObject({ width: 256, height: 200 })

    const stranger = await (await aPerson(linnet)).session()
    expect((await linnet.api('GET', '/qr-logo', undefined, stranger)).status).toBe(404)
    expect((await linnet.api('DELETE', '/qr-logo')).status).toBe(204)
    expect((await linnet.api('DELETE', '/qr-logo')).status).toBe(404)
    expect((await draw('?logo=1')).status).toBe(422)
  })

  it('is kept without anything else that was in its file', async () => {
    const logo = aLogo(20, 20)
    const text = chunk('tEXt', Buffer.from('Comment\0secret place', 'latin1'))
    await upload(asUri(Buffer.concat([logo.subarray(0, -12), text, logo.subarray(-12)])))
    const kept: Buffer = (await linnet.api('GET', '/qr-logo')).body
    expect(kept.includes('secret place')).toBe(false)
    expect(PNG.sync.read(kept).data).toEqual(PNG.sync.read(logo).data)
  })

  it.each([
    ['an address', 'https://example.com/logo.png'],
    ['an SVG', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['an SVG that says it is a PNG', asUri(Buffer.from('<svg onload="alert(1)"/>'))],
    ['nothing', 'data:image/png;base64,'],
    ['half of a PNG', asUri(aLogo().subarray(0, 100))],
    ['without a width', asUri(withHeader(aLogo(8, 8), header => header.writeUInt32BE(0, 0)))],
    [
      'of 16 bits per colour',
      asUri(PNG.sync.write(new PNG({ width: 8, height: 8 }), { bitDepth: 16 })),
    ],
    ['interlaced', asUri(withHeader(aLogo(1, 1), interlace))],
    ['interlaced by a second header', asUri(withSecondHeader(aLogo(1, 1), interlace))],
    ['too wide', asUri(aLogo(257, 1))],
    ['too large', asUri(Buffer.concat([aLogo(8, 8), Buffer.alloc(70_000)]))],
    ['much too large', 'x'.repeat(100_001)],
  ])('is refused when it is %s, and the one before stays', async (_, image) => {
    await upload(asUri(aLogo(10, 10)))
    expect(await upload(image)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'image' }] },
    })
    const kept: Buffer = (await linnet.api('GET', '/qr-logo')).body
    expect(PNG.sync.read(kept).width).toBe(10)
  })
})

describe('a sheet of QR codes', () => {
  const print = (body: object) => linnet.api('POST', '/qr-sheets', body)

  it('has the codes of links on pages of paper, each with its short URL below', async () => {
    const links = [link, await linnet.create(), await linnet.create()]
    const ids = links.map(({ id }) => id)
    const { status, headers, body } = await print({ linkIds: ids, columns: 1, rows: 2 })
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
    const { pages, mediaBoxes } = readPdf(body)
    expect(mediaBoxes).toEqual(['0 0 595.28 841.89', '0 0 595.28 841.89'])
    const texts = pages.map(page => [...page.matchAll(/\((.*?)\) Tj/g)].map(([, text]) => text))
    const short = links.map(({ shortUrl }) => shortUrl.replace('https://', ''))
    expect(texts).toEqual([short.slice(0, 2), short.slice(2)])
    const codes = pages.flatMap(page => page.split('Q\n').slice(0, -1))
    expect(codes.map(scanPdf)).toEqual(links.map(({ shortUrl }) => `${shortUrl}?qr`))
  })

  it('is of the other paper, and looks as the links do, with the logo', async () => {
    await linnet.api('POST', '/qr-logo', { image: asUri(aLogo(30, 20)) })
    await linnet.api('PATCH', '/qr-look', { shape: 'dots', dark: '#0b5394', logo: '1' })
    const { body } = await print({ linkIds: [link.id], paper: 'letter' })
    const { pages, mediaBoxes } = readPdf(body)
    expect(mediaBoxes).toEqual(['0 0 612 792'])
    expect(pages[0]).toContain('0.043 0.325 0.58 rg')
    expect(pages[0]).toContain('/I Do')
    expect(body.toString('latin1')).toContain('/Width 30 /Height 30')
  })

  it.each([
    [{ linkIds: [] }, 'linkIds'],
    [{ linkIds: ['lnk_nothing'] }, 'linkIds'],
    [{ linkIds: Array.from({ length: 501 }, () => 'x') }, 'linkIds'],
    [{ paper: 'a5' }, 'paper'],
    [{ columns: 0 }, 'columns'],
    [{ rows: 13 }, 'rows'],
  ])('is not drawn of %j', async (part, field) => {
    expect(await print({ linkIds: [link.id], ...part })).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    })
  })

  it('has no links of others', async () => {
    const stranger = await (await aPerson(linnet)).session()
    const asked = await linnet.api('POST', '/qr-sheets', { linkIds: [link.id] }, stranger)
    expect(asked.status).toBe(422)
  })
})

/** What is drawn on each page. Throws where the table of objects does not say where they are. */
function readPdf(file: Buffer) {
  const text = file.toString('latin1')
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  expect(text.slice(start, start + 5)).toBe('xref\n')
  const places = [...text.slice(start).matchAll(/(\d{10}) 00000 n /g)].map(([, at]) => Number(at))
  const objects = places.map((at, index) => {
    expect(text.slice(at)).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
    return file.subarray(at, places[index + 1] ?? start)
  })
  const pageObjects = objects
    .map(it => it.toString('latin1'))
    .filter(it => /\/Type \/Page /.test(it))
  return {
    mediaBoxes: pageObjects.map(page => /\/MediaBox \[(.*?)\]/.exec(page)?.[1]),
    pages: pageObjects.map(page => {
      const content = objects[Number(/\/Contents (\d+) /.exec(page)?.[1]) - 1] ?? Buffer.alloc(0)
      const from = content.indexOf('stream\n') + 'stream\n'.length
      return inflateSync(content.subarray(from)).toString('latin1')
    }),
  }
}

/** What a camera reads in what is drawn of a square code, in modules. */
function scanPdf(drawn: string): string | undefined {
  const [, ...pieces] = [...drawn.matchAll(/(\S+) (\S+) (\S+) (\S+) re/g)].map(
    ([, ...numbers]) => numbers.map(Number) as [number, number, number, number],
  )
  const [scale, border] = [8, 32]
  const most = Math.max(...pieces.map(([x, , width]) => x + width))
  const side = most * scale + 2 * border
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [x, y, width, height] of pieces) {
    // One that goes upwards is cut out of what was drawn before.
    const [top, bottom] = [Math.min(y, y + height), Math.max(y, y + height)]
    for (let row = border + top * scale; row < border + bottom * scale; row++) {
      const from = 4 * (row * side + border + x * scale)
      pixels.fill(height < 0 ? 255 : 0, from, from + 4 * width * scale)
    }
  }
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255
  return decode(pixels, side, side)?.data
}

describe('the logo in a QR code', () => {
  /** A file with a logo, and Linnet with it in its settings. */
  async function withLogo(content: Uint8Array) {
    const path = join(aFolder(), 'logo.png')
    writeFileSync(path, content)
    await withLogoAt(path)
  }

  function aFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'linnet-logo-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return folder
  }

  async function withLogoAt(path: string) {
    await linnet.stop()
    linnet = await boot([passwordProtection, visitsTracking, visitsFromQrCodes], {
      settings: {
        plugins: { settings: { 'analytics.visitsFromQrCodesTracking': { logo: path } } },
      },
    })
    link = await linnet.create()
  }

  it.each(
    firstOf(3, [
      'size=160',
      'level=L&dark=%23123456&light=%23fffbe6',
      'light=%23FFFFFF80',
      'size=512',
      'size=2048&margin=0',
    ]),
  )('leaves it readable, with %s', async query => {
    await withLogo(aLogo())
    const answer = await draw(`?format=png&logo=1&${query}`)
    expect([answer.status, scan(answer)]).toEqual([200, `${link.shortUrl}?qr`])
    expect(answer.body).not.toEqual(
      (await draw(`?format=png&${query.replace('level=L', 'level=H')}`)).body,
    )
  })

  it.each(firstOf(2, [1, 60, 7, 15, 30]))(
    'leaves it readable in a short URL with %i more letters',
    async more => {
      await withLogo(aLogo(240, 80))
      await linnet.db
        .updateTable('links')
        .set({ short_code: 'x'.repeat(more) })
        .execute()
      expect(scan(await draw('?format=png&logo=1'))).toBe(
        `https://go.example.org/${'x'.repeat(more)}?qr`,
      )
    },
  )

  it('is in the middle, and as it is in the file', async () => {
    const red = new PNG({ width: 10, height: 10 })
    for (let at = 0; at < 100; at++) red.data.set([200, 10, 20, 255], 4 * at)
    await withLogo(PNG.sync.write(red))
    const { data } = PNG.sync.read((await draw('?format=png&logo=1&size=500')).body)
    const middle = 4 * (250 * 500 + 250)
    expect([...data.subarray(middle, middle + 4)]).toEqual([200, 10, 20, 255])
  })

  it('is in an SVG whole, and nothing else is', async () => {
    const logo = aLogo(20, 20)
    await withLogo(logo)
    const svg = (await draw('?logo=1')).body.toString()
    expect(elementsOf(svg)).toEqual(['svg', 'path', 'path', 'image'])
    expect(svg).toContain(`href="data:image/png;base64,${logo.toString('base64')}"`)
    expect(svg).not.toContain('link')
  })

  it('is there only when it is asked for', async () => {
    await withLogo(aLogo())
    expect(elementsOf((await draw()).body.toString())).not.toContain('image')
  })

  it('is refused while there is none', async () => {
    expect(await draw('?logo=1')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'logo' }] },
    })
  })

  it.each([
    ['not a PNG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['it has more than 65536 bytes', Buffer.alloc(70_000)],
    ['more than 256 pixels', aLogo(257, 1)],
    ['cannot be decoded', aLogo().subarray(0, 100)],
    ['cannot be decoded', aLogo().subarray(0, 10)],
  ])('is left out when its file is %s, and the log says so', async (why, content) => {
    await withLogo(content)
    expect(linnet.log.join()).toContain(why)
    expect(await draw('?logo=1')).toMatchObject({ status: 422 })
    expect(scan(await draw('?format=png'))).toBe(`${link.shortUrl}?qr`)
  })

  it.each(['/dev/zero', '/', 'a pipe'])('is never read of %s, and the log says so', async what => {
    const path = what === 'a pipe' ? join(aFolder(), 'pipe') : what
    if (what === 'a pipe') execFileSync('mkfifo', [path])
    await withLogoAt(path)
    expect(linnet.log.join()).toContain(`The logo ${path} cannot be read: it is not a regular file`)
    expect(scan(await draw('?format=png'))).toBe(`${link.shortUrl}?qr`)
  })
})

describe('visits from QR codes', () => {
  it('are counted for who asks not to be tracked, but not for robots', async () => {
    await linnet.visit(link, { query: '?qr', headers: { 'sec-gpc': '1' } })
    await linnet.visit(link, { query: '?a=1&qr=' })
    await linnet.visit(link, { query: '?qr', headers: { 'user-agent': agents.googlebot } })
    await linnet.visit(link, { query: '?from=qr' })
    expect(await linnet.counts(link)).toMatchObject({ visitsFromQrCodes: { '': 2 } })
  })
})

/** Names of elements in order. Throws when a tag is not closed, or there is anything between them. */
function elementsOf(xml: string): readonly string[] {
  const names: string[] = []
  const open: string[] = []
  const rest = xml.trim().replace(/<(\/?)(\w+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g, (...match) => {
    const [, closing, name, , empty] = match as string[]
    if (closing) expect(open.pop()).toBe(name)
    else names.push(name ?? '')
    if (!closing && !empty) open.push(name ?? '')
    return ''
  })
  expect([rest, open]).toEqual(['', []])
  return names
}
