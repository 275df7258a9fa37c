import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** Whose instance it is, for visitors. */
export type Brand =
  operations['brand.show']['responses'][200]['content']['application/json']['data']

export type BrandChange = BodyOf<operations['brand.update']>

/** A page that shows a brand that is not saved yet. */
export type BrandPreview =
  operations['brand.preview']['responses'][200]['content']['application/json']['data']

export type PreviewedPage = NonNullable<BodyOf<operations['brand.preview']>['page']>

const brandKey = ['admin', 'brand'] as const

/** The brand as it is saved. */
export const brandQuery = queryOptions({
  queryKey: brandKey,
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/brand'))).data,
})

/** Change parts of the brand; takes effect at once. */
export async function updateBrand(body: BrandChange): Promise<Brand> {
  return (await dataOf(api.PATCH('/api/v1/admin/brand', { body }))).data
}

/** How a page would look after a change. Dropped from the cache early: a logo makes the key long. */
export function previewQuery(change: BrandChange, page: PreviewedPage) {
  const body = { ...change, page }
  return queryOptions({
    queryKey: [...brandKey, 'preview', body],
    queryFn: async ({ signal }) =>
      (await dataOf(api.POST('/api/v1/admin/brand/preview', { body, signal }))).data,
    gcTime: 60_000,
  })
}
