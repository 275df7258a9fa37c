import QrCode from 'qrcode'
import {
  type Caller,
  type Context,
  definePlugin,
  endpoint,
  type File,
  file,
  type LinkView,
  type Refusal,
  refuse,
  text,
  z,
} from '../../core/plugin.ts'
import { readColor } from './visits-from-qr-codes-tracking/color.ts'
import {
  forgetLook,
  keepLook,
  makeLookTables,
  ofAccount,
  ofLink,
  readLook,
} from './visits-from-qr-codes-tracking/kept-looks.ts'
import { type Logo, readLogo } from './visits-from-qr-codes-tracking/logo.ts'
import { drawLogoPng } from './visits-from-qr-codes-tracking/logo-png.ts'
import {
  type Look,
  lookBody,
  lookQuery,
  unreadable,
  usualLook,
  withPart,
} from './visits-from-qr-codes-tracking/look.ts'
import { holeIn, withHole } from './visits-from-qr-codes-tracking/modules.ts'
import { drawPng, smallestPng } from './visits-from-qr-codes-tracking/png.ts'
import { drawSvg } from './visits-from-qr-codes-tracking/svg.ts'

/** What a code adds to the short URL, `?qr`: by it its visits are told from others. */
const marker = 'qr'

const imageQuery = z.strictObject({ format: z.enum(['svg', 'png']).default('svg'), ...lookQuery })

const lookAnswer = z.strictObject({
  data: z.strictObject({
    size: z.int(),
    margin: z.int(),
    level: z.enum(['L', 'M', 'Q', 'H']),
    dark: z.string(),
    light: z.string(),
    logo: z.enum(['0', '1']),
  }),
  meta: z.strictObject({
    isOwn: z.boolean().meta({
      description: 'Whether this is kept; else it is the look of the account, or the usual one.',
    }),
  }),
})

const nothing = { answer: z.strictObject({}), status: 204 }

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
  migrations: { '001-looks': makeLookTables },
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
      query: imageQuery,
      media: ['image/svg+xml', 'image/png'],
      async handle({ caller, params: { id = '' }, query }, { db, links, state }) {
        const link = await links.findOwn(caller, id)
        if (!link) return
        const { format, ...said } = query
        const { look: kept } = await lookOf(db, caller, link)
        const logo = state as Logo | undefined
        const look = withPart(logo ? kept : { ...kept, logo: '0' }, said)
        const wrong = unreadable(look)
        if (wrong) return refuseContrast(wrong)
        const isWhole = Object.keys(usualLook).every(name => said[name as keyof Look] !== undefined)
        const age = isWhole ? aDay : aMinute
        return draw(`${links.shortUrl(link)}?${marker}`, { ...look, format, age }, logo)
      },
    }),
    'GET /qr-look': endpoint({
      summary: 'Say how QR codes look, for links that have no look of their own',
      scope: 'links:read',
      answer: lookAnswer,
      async handle({ caller: { accountId } }, { db }) {
        const look = await readLook(db, ofAccount, accountId)
        return { data: look ?? usualLook, meta: { isOwn: look !== undefined } }
      },
    }),
    'PATCH /qr-look': endpoint({
      summary: 'Change how QR codes look, for links that have no look of their own',
      scope: 'links:write',
      body: lookBody,
      answer: lookAnswer,
      async handle({ caller: { accountId }, body }, { db }) {
        const look = withPart((await readLook(db, ofAccount, accountId)) ?? usualLook, body)
        const wrong = unreadable(look)
        if (wrong) return refuseContrast(wrong)
        await keepLook(db, ofAccount, accountId, look)
        return { data: look, meta: { isOwn: true } }
      },
    }),
    'DELETE /qr-look': endpoint({
      summary: 'Let QR codes look as they usually do',
      scope: 'links:write',
      ...nothing,
      async handle({ caller: { accountId } }, { db }) {
        await forgetLook(db, ofAccount, accountId)
        return {}
      },
    }),
    'GET /links/:id/qr-look': endpoint({
      summary: 'Say how the QR code of a link looks',
      scope: 'links:read',
      answer: lookAnswer,
      async handle({ caller, params: { id = '' } }, { db, links }) {
        const link = await links.findOwn(caller, id)
        if (!link) return
        const { look, isOwn } = await lookOf(db, caller, link)
        return { data: look, meta: { isOwn } }
      },
    }),
    'PATCH /links/:id/qr-look': endpoint({
      summary: 'Give the QR code of a link a look of its own',
      scope: 'links:write',
      body: lookBody,
      answer: lookAnswer,
      async handle({ caller, params: { id = '' }, body }, { db, links }) {
        const link = await links.findOwn(caller, id)
        if (!link) return
        const look = withPart((await lookOf(db, caller, link)).look, body)
        const wrong = unreadable(look)
        if (wrong) return refuseContrast(wrong)
        await keepLook(db, ofLink, link.rowId, look)
        return { data: look, meta: { isOwn: true } }
      },
    }),
    'DELETE /links/:id/qr-look': endpoint({
      summary: 'Let the QR code of a link look as those of other links',
      scope: 'links:write',
      ...nothing,
      async handle({ caller, params: { id = '' } }, { db, links }) {
        const link = await links.findOwn(caller, id)
        if (!link) return
        await forgetLook(db, ofLink, link.rowId)
        return {}
      },
    }),
  },
})

/** The look of a link, or else that of its account, or the usual one. */
async function lookOf(
  db: Context['db'],
  { accountId }: Caller,
  { rowId }: LinkView,
): Promise<{ readonly look: Look; readonly isOwn: boolean }> {
  const own = await readLook(db, ofLink, rowId)
  if (own) return { look: own, isOwn: true }
  return { look: (await readLook(db, ofAccount, accountId)) ?? usualLook, isOwn: false }
}

function refuseContrast(field: 'dark' | 'light'): Refusal {
  const detail = 'Needs more contrast: scanners only find a dark code on a light background.'
  return refuse('validation_failed', detail, 422, field)
}

const aMinute = 60
const aDay = 86_400

/** Leads to the short URL and nowhere else: whatever protects the link is asked there. */
function draw(
  url: string,
  query: Look & { readonly format: 'svg' | 'png'; readonly age: number },
  ofInstance: Logo | undefined,
): File | Refusal {
  const { format, size, margin, age } = query
  const logo = query.logo === '1' ? ofInstance : undefined
  if (query.logo === '1' && !logo) return noLogo
  const whole = QrCode.create(url, { errorCorrectionLevel: logo ? 'H' : query.level }).modules
  const modules = logo ? withHole(whole, holeIn(whole)) : whole
  const look = { size, margin, dark: readColor(query.dark), light: readColor(query.light) }
  if (format === 'svg') return file('image/svg+xml', drawSvg(modules, { ...look, logo }), age)
  const smallest = smallestPng(modules, margin)
  if (size < smallest) {
    const detail = `Must be at least ${smallest}: smaller ones cannot be scanned. An SVG can.`
    return refuse('validation_failed', detail, 422, 'size')
  }
  const png = logo ? drawLogoPng(modules, { ...look, logo }) : drawPng(modules, look)
  return file('image/png', png, age)
}

const noLogo = refuse(
  'validation_failed',
  'This instance has no logo. An admin can set one in the settings of this plugin.',
  422,
  'logo',
)
