import { endpoint, file, isRefusal, notFound, z } from '../../../core/plugin.ts'
import { findLogo, forgetLogo, keepLogo, logoOf } from './account-logos.ts'
import { group } from './drawing-endpoints.ts'

/** The logo that an account puts into its codes. */
export const logoEndpoints = {
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
          'A PNG of at most 64 KiB and 256 pixels per side, with up to 8 bits per colour, not interlaced, ideally square, as a data URI: `data:image/png;base64,…`.',
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
    answer: z.strictObject({}),
    status: 204,
    handle: async ({ caller: { accountId } }, { db }) =>
      (await forgetLogo(db, accountId)) ? undefined : notFound,
  }),
}
