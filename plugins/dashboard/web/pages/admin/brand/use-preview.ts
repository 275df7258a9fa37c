import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BrandPreview, type PreviewedPage, previewQuery } from '../../../api/admin/brand.ts'
import { Problem } from '../../../api/client/problem.ts'
import { type BrandValues, brandIn } from './brand-values.ts'

const typingMs = 250

/** A page with the brand that a form says, a moment after it was typed. */
export function usePreview(values: BrandValues, page: PreviewedPage) {
  const [asked] = useDebouncedValue(values, typingMs)
  const { data, error } = useQuery(previewQuery(brandIn(asked), page))
  // While the next one is on its way, and where it is refused, the last one stays.
  const [last, setLast] = useState<BrandPreview>()
  if (data && data !== last) setLast(data)
  const fields: Readonly<Record<string, string>> = error instanceof Problem ? error.fields : {}
  return {
    html: last?.html,
    /** Of the colour, when it is one. */
    adjustments: fields.color === undefined ? (last?.adjustments ?? []) : [],
    /** What the API says is wrong, by field. */
    fields,
    /** Why there is no preview, when that is no field's fault. */
    error: Object.keys(fields).length === 0 ? error : null,
  }
}
