import { z } from 'zod'
import { ask } from '../../plugin/outcomes.ts'
import { type Brand, brandPatch } from '../../settings/brand.ts'
import { draftLookOf } from './look.ts'
import { askPage, notFoundPage, type Page, render } from './pages.ts'
import { type Adjustment, adjustmentsOf } from './shades.ts'

/** The pages that a brand can be tried on. */
const pages = {
  password: askPage(
    ask('This link is protected', [{ name: 'password', label: 'Password', type: 'password' }]),
    '',
  ),
  not_found: notFoundPage,
} as const satisfies Readonly<Record<string, Page>>

export type PreviewedPage = keyof typeof pages

/** A change to try, and on which page. */
export const previewBody = brandPatch.extend({
  page: z
    .enum(Object.keys(pages) as [PreviewedPage, ...PreviewedPage[]])
    .default('password')
    .describe(
      'The page that asks for a link’s password, or the page for an address without a link.',
    ),
})

export const previewSchema = z.strictObject({
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

/** A page as it would look with a brand, and what would become of its colour. */
export function previewBrand(
  brand: Brand,
  page: PreviewedPage,
): { readonly html: string; readonly adjustments: readonly Adjustment[] } {
  return {
    html: render(pages[page], draftLookOf(brand)),
    adjustments: brand.color === null ? [] : adjustmentsOf(brand.color),
  }
}
