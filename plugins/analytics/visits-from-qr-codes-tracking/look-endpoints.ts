import { endpoint, notFound, z } from '../../../core/plugin.ts'
import { group } from './drawing-endpoints.ts'
import { eyeShapes, shapes } from './figure.ts'
import { forgetLook, keepLook, ofAccount, ofLink, readLook } from './kept-looks.ts'
import { lookBody, unreadable, usualLook, withPart } from './look.ts'
import { lookOf, refuseContrast } from './look-of-link.ts'

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

const nothing = { answer: z.strictObject({}), status: 204 }

/** How codes look: those of an account, and those of one link. */
export const lookEndpoints = {
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
}
