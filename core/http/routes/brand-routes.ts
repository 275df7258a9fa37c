import { z } from 'zod'
import { ask } from '../../plugin/outcomes.ts'
import { type Brand, brandOf, brandPatch, brandSchema } from '../../settings/brand.ts'
import type { SettingsStore } from '../../settings/settings.ts'
import { draftOf } from '../../settings/settings-store.ts'
import { forAdmins, type Route, route } from '../api/route/route.ts'
import { type Adjustment, adjustmentsOf } from '../pages/page-colors.ts'
import { draftThemeOf } from '../pages/page-theme.ts'
import { askPage, notFoundPage, render, type VisitorPage } from '../pages/pages.ts'

const answer = z.strictObject({ data: brandSchema })

/** The brand on the pages that visitors see, for admins. */
export function brandRoutes({ settings }: { readonly settings: SettingsStore }): readonly Route[] {
  return [
    route('GET /admin/brand', {
      ...forAdmins,
      name: 'brand.show',
      summary: 'Show the brand',
      answer,
      handle: () => ({ body: { data: brandOf(settings.read().brand) } }),
    }),
    route('PATCH /admin/brand', {
      ...forAdmins,
      name: 'brand.update',
      summary: 'Change the brand, with immediate effect',
      body: brandPatch,
      answer,
      tries: true,
      async handle({ body, isDry }) {
        const { brand } = await (isDry ? draftOf(settings) : settings).update(stored => ({
          ...stored,
          brand: { ...stored.brand, ...body },
        }))
        return { body: { data: brandOf(brand) } }
      },
    }),
    route('POST /admin/brand/preview', {
      ...forAdmins,
      name: 'brand.preview',
      summary: 'Preview a page with a change of the brand, without saving it',
      body: previewBody,
      answer: previewAnswer,
      handle({ body: { page, ...change } }) {
        const brand = brandOf({ ...settings.read().brand, ...change })
        return { body: { data: previewBrand(brand, page) } }
      },
    }),
  ]
}

/** The pages that a brand can be tried on. */
const pages = {
  password: askPage(
    ask('This link is protected', [{ name: 'password', label: 'Password', type: 'password' }]),
    '',
  ),
  not_found: notFoundPage,
} as const satisfies Readonly<Record<string, VisitorPage>>

type PreviewedPage = keyof typeof pages

/** A change to try, and on which page. */
const previewBody = brandPatch.extend({
  page: z
    .enum(Object.keys(pages) as [PreviewedPage, ...PreviewedPage[]])
    .default('password')
    .describe(
      'The page that asks for a link’s password, or the page for an address without a link.',
    ),
})

const previewSchema = z.strictObject({
  html: z.string().describe('The complete page, including the logo.'),
  adjustments: z
    .array(
      z.strictObject({
        where: z.enum(['buttons', 'light', 'dark']),
        color: z.string(),
        message: z.string(),
      }),
    )
    .describe('Where the colour is made darker or lighter to stay visible and readable.'),
})

const previewAnswer = z.strictObject({ data: previewSchema })

/** A page as it would look with a brand, and how its colour would be changed. */
function previewBrand(
  brand: Brand,
  page: PreviewedPage,
): { readonly html: string; readonly adjustments: readonly Adjustment[] } {
  return {
    html: render(pages[page], draftThemeOf(brand)),
    adjustments: brand.color === null ? [] : adjustmentsOf(brand.color),
  }
}
