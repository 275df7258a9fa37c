import QrCode from 'qrcode'
import {
  definePlugin,
  endpoint,
  type File,
  file,
  queryNumber,
  type Refusal,
  refuse,
  text,
  z,
} from '../../core/plugin.ts'
import { contrastOf, readColor } from './visits-from-qr-codes-tracking/color.ts'
import { type Logo, readLogo } from './visits-from-qr-codes-tracking/logo.ts'
import { drawLogoPng } from './visits-from-qr-codes-tracking/logo-png.ts'
import { holeIn, withHole } from './visits-from-qr-codes-tracking/modules.ts'
import { drawPng, smallestPng } from './visits-from-qr-codes-tracking/png.ts'
import { drawSvg } from './visits-from-qr-codes-tracking/svg.ts'

/** What a code adds to the short URL, `?qr`: by it its visits are told from others. */
const marker = 'qr'

/** Contrast that cameras still read. */
const minContrast = 3

const color = z.string().regex(/^#(?:[\dA-Fa-f]{6}|[\dA-Fa-f]{8})$/, {
  error: 'Must be a colour, such as #1A2B3C, or #1A2B3CFF with opacity.',
})

const lookSchema = z
  .strictObject({
    format: z.enum(['svg', 'png']).default('svg'),
    size: queryNumber(64, 2_048).default(512).meta({
      description: 'Width and height in pixels, including the margin.',
    }),
    margin: queryNumber(0, 20).default(4).meta({
      description: 'Empty border, in modules; scanners need 4 to read it reliably.',
    }),
    level: z.enum(['L', 'M', 'Q', 'H']).default('M').meta({
      description: 'Error correction: about 7, 15, 25 or 30 per cent of the code may be damaged.',
    }),
    dark: color.default('#000000'),
    light: color.default('#FFFFFF').meta({
      description: 'Colour of the background; transparent counts as white.',
    }),
    logo: z.enum(['0', '1']).default('0').meta({
      description: 'Put the logo of this instance in the middle, and set the level to H.',
    }),
  })
  .superRefine(({ dark, light }, context) => {
    if (contrastOf(readColor(dark), readColor(light)) >= minContrast) return
    context.addIssue({
      code: 'custom',
      path: [dark === '#000000' ? 'light' : 'dark'],
      message: 'Needs more contrast: scanners only find a dark code on a light background.',
    })
  })

type Look = z.output<typeof lookSchema>

export default definePlugin({
  feature: 'analytics.visitsFromQrCodesTracking',
  label: 'QR codes',
  about: 'Draw a QR code for each link, and count the visits that come from it.',
  needs: ['analytics.visitsTracking'],
  settings: {
    logo: text({
      label: 'Logo in QR codes',
      hint: 'Path of a PNG file on the server, at most 64 KiB and 1,024 pixels per side, ideally square.',
      default: '',
      min: 0,
      max: 4_096,
    }),
  },
  async setup({ settings, log }): Promise<Logo | undefined> {
    if (settings.logo === '') return undefined
    try {
      return await readLogo(settings.logo)
    } catch (error) {
      // Codes without a logo, and the visits from them, matter more.
      const reason = error instanceof Error ? error.message : String(error)
      log.error(`QR codes have no logo: ${reason}`)
      return undefined
    }
  },
  dimensions: {
    visitsFromQrCodes: {
      label: 'Visits from QR codes',
      chart: 'number',
      total: true,
      of: ({ query }) => (query.has(marker) ? '' : undefined),
    },
  },
  totals: { fromQrCodes: 'visitsFromQrCodes' },
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
      async handle({ caller, params: { id = '' }, query }, { links, state }) {
        const link = await links.findOwn(caller, id)
        return link && draw(`${links.shortUrl(link)}?${marker}`, query, state as Logo | undefined)
      },
    }),
  },
})

const aDay = 86_400

/** Leads to the short URL and nowhere else: whatever protects the link is asked there. */
function draw(url: string, query: Look, ofInstance: Logo | undefined): File | Refusal {
  const { format, size, margin } = query
  const logo = query.logo === '1' ? ofInstance : undefined
  if (query.logo === '1' && !logo) return noLogo
  const whole = QrCode.create(url, { errorCorrectionLevel: logo ? 'H' : query.level }).modules
  const modules = logo ? withHole(whole, holeIn(whole)) : whole
  const look = { size, margin, dark: readColor(query.dark), light: readColor(query.light) }
  if (format === 'svg') return file('image/svg+xml', drawSvg(modules, { ...look, logo }), aDay)
  const smallest = smallestPng(modules, margin)
  if (size < smallest) {
    const detail = `Must be at least ${smallest}: smaller ones cannot be scanned. An SVG can.`
    return refuse('validation_failed', detail, 422, 'size')
  }
  const png = logo ? drawLogoPng(modules, { ...look, logo }) : drawPng(modules, look)
  return file('image/png', png, aDay)
}

const noLogo = refuse(
  'validation_failed',
  'This instance has no logo. An admin can set one in the settings of this plugin.',
  422,
  'logo',
)
