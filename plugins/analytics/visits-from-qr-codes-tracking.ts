import { setImmediate as ownTurn } from 'node:timers/promises'
import {
  type Caller,
  type Context,
  definePlugin,
  endpoint,
  type File,
  file,
  isRefusal,
  type LinkView,
  notFound,
  type Refusal,
  refuse,
  text,
  z,
} from '../../core/plugin.ts'
import {
  findLogo,
  forgetLogo,
  keepLogo,
  logoOf,
  makeLogosTable,
} from './visits-from-qr-codes-tracking/account-logos.ts'
import { readColor } from './visits-from-qr-codes-tracking/color.ts'
import { eyeShapes, isSquare, shapes } from './visits-from-qr-codes-tracking/figure.ts'
import {
  forgetLook,
  keepLook,
  makeLookTables,
  ofAccount,
  ofLink,
  readLook,
} from './visits-from-qr-codes-tracking/kept-looks.ts'
import { type Logo, readLogo } from './visits-from-qr-codes-tracking/logo.ts'
import {
  type Look,
  lookBody,
  lookQuery,
  unreadable,
  usualLook,
  withPart,
} from './visits-from-qr-codes-tracking/look.ts'
import { holeIn, type Modules, withHole } from './visits-from-qr-codes-tracking/modules.ts'
import { drawPaintedPng } from './visits-from-qr-codes-tracking/painted-png.ts'
import { drawPng, smallestPng } from './visits-from-qr-codes-tracking/png.ts'
import { drawSheet, type SheetCode, traceCode } from './visits-from-qr-codes-tracking/sheet.ts'
import { drawSvg } from './visits-from-qr-codes-tracking/svg.ts'

/** The parameter that codes add to the short URL (`?qr`), to distinguish their visits. */
const marker = 'qr'

/** Where the description of the API lists what is about QR codes. */
const group = 'QR Codes'

const imageQuery = z.strictObject({
  format: z.enum(['svg', 'png']).default('svg').meta({ description: 'What to draw.' }),
  ...lookQuery,
})

const lookAnswer = z.strictObject({
  data: z.strictObject({
    size: z.int().min(0),
    margin: z.int().min(0),
    level: z.enum(['L', 'M', 'Q', 'H']),
    dark: z.string(),
    light: z.string(),
    shape: z.enum(shapes),
    eyes: z.enum(eyeShapes),
    logo: z.enum(['0', '1']),
  }),
  meta: z.strictObject({
    isOwn: z.boolean().meta({
      description: 'Whether this was saved; false: it is the look of the account, or the default.',
    }),
  }),
})

/** Only the look: a link without one of its own has the ETag of the account's look. */
const versionOfLook = ({ data }: z.output<typeof lookAnswer>) => data

const sheetBody = z.strictObject({
  linkIds: z.array(z.string().max(64)).min(1).max(500).meta({
    description: 'Ids of your links, in the order of the sheet.',
  }),
  paper: z.enum(['a4', 'letter']).default('a4'),
  columns: z.int().min(1).max(10).default(3),
  rows: z.int().min(1).max(12).default(4),
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
      // Codes without a logo are better than none, and their visits must still be counted.
      const reason = error instanceof Error ? error.message : String(error)
      log.error(`QR codes have no logo: ${reason}`)
      return undefined
    }
  },
  migrations: {
    '001-looks': async db => {
      await makeLookTables(db)
      await makeLogosTable(db)
    },
  },
  dimensions: {
    visitsFromQrCodes: {
      label: 'Visits from QR codes',
      chart: 'number',
      total: true,
      of: ({ query }) => (query.has(marker) ? '' : undefined),
    },
  },
  unstable: { totals: { fromQrCodes: 'visitsFromQrCodes' } },
  computed: {
    schema: {
      qrCodeUrl: z
        .url()
        .meta({ examples: ['https://go.example.org/api/v1/links/lnk_Gv8J65Sx/qr'] }),
    },
    of: (shown, { links }) =>
      shown.map(({ id }) => ({ qrCodeUrl: links.apiUrl(`/links/${id}/qr`) })),
  },
  endpoints: {
    'GET /links/:id/qr': endpoint({
      group,
      summary: 'Draw the QR code of a link',
      scope: 'links:read',
      query: imageQuery,
      media: ['image/svg+xml', 'image/png'],
      unstable: { isHeavy: true },
      async handle({ caller, params: { id = '' }, query }, { db, links, state }) {
        const link = await links.findOwn(caller, id)
        if (!link) return
        const { format, ...said } = query
        const { look: kept } = await lookOf(db, caller, link)
        const logo = await logoFor(db, caller, state as Logo | undefined)
        const look = withPart(logo ? kept : { ...kept, logo: '0' }, said)
        const wrong = unreadable(look)
        if (wrong) return refuseContrast(wrong)
        const isWhole = Object.keys(usualLook).every(name => said[name as keyof Look] !== undefined)
        const age = isWhole && look.logo === '0' ? aDay : aMinute
        return draw(addressOf(links.shortUrl(link)), { ...look, format, age }, logo)
      },
    }),
    'POST /qr-sheets': endpoint({
      group,
      summary: 'Draw the QR codes of many links as a PDF to print, each with its short URL below',
      scope: 'links:read',
      body: sheetBody,
      media: ['application/pdf'],
      unstable: { isHeavy: true },
      async handle({ caller, body: { linkIds, ...options } }, { db, links, state }) {
        const logo = await logoFor(db, caller, state as Logo | undefined)
        const codes: SheetCode[] = []
        for (const id of new Set(linkIds)) {
          const link = await links.findOwn(caller, id)
          if (!link) return refuse('validation_failed', `You have no link ${id}.`, 422, 'linkIds')
          const { look } = await lookOf(db, caller, link)
          const shortUrl = links.shortUrl(link)
          const hasLogo = look.logo === '1' && logo !== undefined
          const { margin, shape, eyes } = look
          const [dark, light] = [readColor(look.dark), readColor(look.light)]
          const modules = await encode(addressOf(shortUrl), look.level, hasLogo)
          const text = shortUrl.replace(/^https?:\/\//, '')
          const figure = traceCode(modules, { shape, eyes })
          codes.push({ figure, modules, margin, dark, light, hasLogo, text })
          // Printing codes must not delay redirects.
          await ownTurn()
        }
        const usedLogo = codes.some(({ hasLogo }) => hasLogo) ? logo : undefined
        return file('application/pdf', drawSheet(codes, options, usedLogo), 0)
      },
    }),
    'GET /qr-logo': endpoint({
      group,
      summary: 'Show the logo in the QR codes of your links',
      scope: 'links:read',
      media: ['image/png'],
      async handle({ caller }, { db }) {
        const logo = await findLogo(db, caller.accountId)
        return logo && file('image/png', logo.file, 0)
      },
    }),
    'POST /qr-logo': endpoint({
      group,
      summary: 'Upload a logo for the QR codes of your links; it replaces the previous one',
      scope: 'links:write',
      body: z.strictObject({
        image: z.string().max(100_000).meta({
          description:
            'A PNG of at most 64 KiB and 1,024 pixels per side, not interlaced, ideally square, as a data URI: `data:image/png;base64,…`.',
        }),
      }),
      answer: z.strictObject({
        data: z.strictObject({ width: z.int().min(0), height: z.int().min(0) }),
      }),
      status: 201,
      unstable: { isHeavy: true, tries: true },
      async handle({ caller: { accountId }, body: { image }, isDry }, { db }) {
        const logo = await logoOf(image)
        if (isRefusal(logo)) return logo
        if (!isDry) await keepLogo(db, accountId, logo)
        return { data: { width: logo.width, height: logo.height } }
      },
    }),
    'DELETE /qr-logo': endpoint({
      group,
      summary: 'Remove the logo from the QR codes of your links',
      scope: 'links:write',
      inTransaction: true,
      ...nothing,
      handle: async ({ caller: { accountId } }, { db }) =>
        (await forgetLogo(db, accountId)) ? undefined : notFound,
    }),
    'GET /qr-look': endpoint({
      group,
      summary: 'Show how QR codes look, for links that have no look of their own',
      scope: 'links:read',
      answer: lookAnswer,
      version: versionOfLook,
      async handle({ caller: { accountId } }, { db }) {
        const look = await readLook(db, ofAccount, accountId)
        return { data: look ?? usualLook, meta: { isOwn: look !== undefined } }
      },
    }),
    'PATCH /qr-look': endpoint({
      group,
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
      group,
      summary: 'Reset how QR codes look to the default',
      scope: 'links:write',
      ...nothing,
      async handle({ caller: { accountId } }, { db }) {
        await forgetLook(db, ofAccount, accountId)
      },
    }),
    'GET /links/:id/qr-look': endpoint({
      group,
      summary: 'Show how the QR code of a link looks',
      scope: 'links:read',
      answer: lookAnswer,
      version: versionOfLook,
      async handle({ caller, params: { id = '' } }, { db, links }) {
        const link = await links.findOwn(caller, id)
        if (!link) return
        const { look, isOwn } = await lookOf(db, caller, link)
        return { data: look, meta: { isOwn } }
      },
    }),
    'PATCH /links/:id/qr-look': endpoint({
      group,
      summary: 'Set how the QR code of a link looks',
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
      group,
      summary: 'Reset how the QR code of a link looks to that of other links',
      scope: 'links:write',
      ...nothing,
      async handle({ caller, params: { id = '' } }, { db, links }) {
        const link = await links.findOwn(caller, id)
        if (!link) return notFound
        await forgetLook(db, ofLink, link.rowId)
      },
    }),
  },
})

/** The look of a link, or else that of its account, or else the default. */
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

/** The URL in a code. It is the short URL, so the guards of the link apply. */
function addressOf(shortUrl: string): string {
  return `${shortUrl}?${marker}`
}

/** The logo of the account, or else of the instance. */
async function logoFor(
  db: Context['db'],
  { accountId }: Caller,
  ofInstance: Logo | undefined,
): Promise<Logo | undefined> {
  return (await findLogo(db, accountId)) ?? ofInstance
}

/** A logo covers a part of the code, so a code with a logo has the highest error correction. */
async function encode(url: string, level: Look['level'], hasLogo: boolean): Promise<Modules> {
  // Loaded only to draw codes, not to count visits.
  const { default: QrCode } = await import('qrcode')
  const whole = QrCode.create(url, { errorCorrectionLevel: hasLogo ? 'H' : level }).modules
  return hasLogo ? withHole(whole, holeIn(whole)) : whole
}

const aMinute = 60
const aDay = 86_400

async function draw(
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
  return file('image/png', png, age)
}

const noLogo = refuse(
  'validation_failed',
  'Neither you nor this instance has a logo. Upload one first.',
  422,
  'logo',
)
