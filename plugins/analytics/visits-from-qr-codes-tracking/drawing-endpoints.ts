import { setImmediate as ownTurn } from 'node:timers/promises'
import { type Caller, type Context, endpoint, file, refuse, z } from '../../../core/plugin.ts'
import { findLogo } from './account-logos.ts'
import { readColor } from './color.ts'
import { addressOf, draw, encode } from './draw-code.ts'
import type { Logo } from './logo.ts'
import { type Look, lookQuery, unreadable, usualLook, withPart } from './look.ts'
import { lookOf, refuseContrast } from './look-of-link.ts'
import { drawSheet, type SheetCode, traceCode } from './sheet.ts'

/** Where the description of the API lists what is about QR codes. */
export const group = 'QR Codes'

const imageQuery = z.strictObject({
  format: z.enum(['svg', 'png']).default('svg').meta({ description: 'What to draw.' }),
  ...lookQuery,
})

const sheetBody = z.strictObject({
  linkIds: z.array(z.string().max(64)).min(1).max(500).meta({
    description: 'Ids of your links, in the order of the sheet.',
  }),
  paper: z.enum(['a4', 'letter']).default('a4'),
  columns: z.int().min(1).max(10).default(3),
  rows: z.int().min(1).max(12).default(4),
})

const aMinute = 60
const aDay = 86_400

/** Drawing the code of a link, or those of many to print. */
export const drawingEndpoints = {
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
}

/** The logo of the account, or else of the instance. */
async function logoFor(
  db: Context['db'],
  { accountId }: Caller,
  ofInstance: Logo | undefined,
): Promise<Logo | undefined> {
  return (await findLogo(db, accountId)) ?? ofInstance
}
