import QrCode from 'qrcode'
import {
  definePlugin,
  endpoint,
  type File,
  file,
  type Refusal,
  refuse,
  z,
} from '../../core/plugin.ts'
import { contrastOf, readColor } from './visits-from-qr-codes-tracking/color.ts'
import { drawPng, smallestPng } from './visits-from-qr-codes-tracking/png.ts'

/** What a code adds to the short URL, `?qr`: by it its visits are told from others. */
const marker = 'qr'

/** Contrast that cameras still read. */
const minContrast = 3

const color = z.string().regex(/^#(?:[\da-f]{6}|[\da-f]{8})$/i, {
  error: 'Must be a color, as #1A2B3C, or #1A2B3CFF with its opacity.',
})

const lookSchema = z
  .strictObject({
    format: z.enum(['svg', 'png']).default('svg'),
    size: z.coerce.number().int().min(64).max(2_048).default(512).meta({
      description: 'Width and height in pixels, with the margin.',
    }),
    margin: z.coerce.number().int().min(0).max(20).default(4).meta({
      description: 'Empty border, in modules; readers ask for 4.',
    }),
    level: z.enum(['L', 'M', 'Q', 'H']).default('M').meta({
      description: 'How much may be damaged: about 7, 15, 25 or 30 per cent.',
    }),
    dark: color.default('#000000'),
    light: color.default('#FFFFFF').meta({
      description: 'The background; what shines through it counts as white.',
    }),
  })
  .superRefine(({ dark, light }, context) => {
    if (contrastOf(readColor(dark), readColor(light)) >= minContrast) return
    context.addIssue({
      code: 'custom',
      path: [dark === '#000000' ? 'light' : 'dark'],
      message: 'Must differ more: cameras find a dark code on a light background only.',
    })
  })

type Look = z.output<typeof lookSchema>

export default definePlugin({
  feature: 'analytics.visitsFromQrCodesTracking',
  about: 'Draw a QR code for each link, and count the visits that come from it.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsFromQrCodes: {
      label: 'Visits from QR codes',
      chart: 'number',
      total: true,
      of: ({ query }) => (query.has(marker) ? '' : undefined),
    },
  },
  shows: {
    schema: { qrCodeUrl: z.url() },
    of: (shown, { links }) =>
      shown.map(({ id }) => ({ qrCodeUrl: links.apiUrl(`/links/${id}/qr`) })),
  },
  endpoints: {
    'GET /links/:id/qr': endpoint({
      summary: 'Draw the QR code of a link',
      scope: 'links:read',
      query: lookSchema,
      media: ['image/svg+xml', 'image/png'],
      async handle({ caller, params: { id = '' }, query }, { links }) {
        const link = await links.findOwn(caller, id)
        return link && draw(`${links.shortUrl(link)}?${marker}`, query)
      },
    }),
  },
})

const aDay = 86_400

/** Leads to the short URL and nowhere else: whatever protects the link is asked there. */
async function draw(url: string, look: Look): Promise<File | Refusal> {
  const { format, size, margin, level, dark, light } = look
  const options = { errorCorrectionLevel: level, width: size, margin, color: { dark, light } }
  if (format === 'svg') {
    return file('image/svg+xml', await QrCode.toString(url, { ...options, type: 'svg' }), aDay)
  }
  const { modules } = QrCode.create(url, options)
  const smallest = smallestPng(modules, margin)
  if (size < smallest) {
    const detail = `Must be at least ${smallest}: smaller ones cannot be scanned. An SVG can.`
    return refuse('validation_failed', detail, 422, 'size')
  }
  const colors = { dark: readColor(dark), light: readColor(light) }
  return file('image/png', drawPng(modules, { size, margin, ...colors }), aDay)
}
