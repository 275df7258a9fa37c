import { z } from 'zod'
import { brandOf, brandPatch, brandSchema } from '../../settings/brand.ts'
import type { SettingsStore } from '../../settings/settings.ts'
import { type Route, route } from '../api/route.ts'
import { previewBody, previewBrand, previewSchema } from '../pages/preview-brand.ts'

const answer = z.strictObject({ data: brandSchema })

/** Whose instance it is, on the pages that visitors see; for admins. */
export function brandRoutes({ settings }: { readonly settings: SettingsStore }): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/brand',
      name: 'brand.show',
      group: 'Admin',
      summary: 'Show the brand',
      scope: 'admin',
      answer,
      status: 200,
      handle: () => ({ body: { data: brandOf(settings.read().brand) } }),
    }),
    route({
      method: 'PATCH',
      path: '/admin/brand',
      name: 'brand.update',
      group: 'Admin',
      summary: 'Change the brand, with immediate effect',
      scope: 'admin',
      body: brandPatch,
      answer,
      status: 200,
      async handle({ body }) {
        const { brand } = await settings.update(stored => ({
          ...stored,
          brand: { ...stored.brand, ...body },
        }))
        return { body: { data: brandOf(brand) } }
      },
    }),
    route({
      method: 'POST',
      path: '/admin/brand/preview',
      name: 'brand.preview',
      group: 'Admin',
      summary: 'Preview a page with a change of the brand, without saving it',
      scope: 'admin',
      body: previewBody,
      answer: z.strictObject({ data: previewSchema }),
      status: 200,
      handle({ body: { page, ...change } }) {
        const brand = brandOf({ ...settings.read().brand, ...change })
        return { body: { data: previewBrand(brand, page) } }
      },
    }),
  ]
}
