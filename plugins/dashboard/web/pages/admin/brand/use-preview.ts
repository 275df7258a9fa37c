import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BrandPreview, type PreviewedPage, previewQuery } from '../../../api/admin/brand.ts'
import { Problem } from '../../../api/client/problem.ts'
import { type BrandValues, brandIn } from './brand-values.ts'

const typingMs = 250

/** A page with the brand in the form, updated shortly after typing stops. */
export function usePreview(values: BrandValues, page: PreviewedPage) {
  const [asked] = useDebouncedValue(values, typingMs)
  const { data, error } = useQuery(previewQuery(brandIn(asked), page))
  // While the next preview loads, and if it is refused, the previous one stays.
  const [last, setLast] = useState<BrandPreview>()
  if (data && data !== last) setLast(data)
  const fields: Readonly<Record<string, string>> = error instanceof Problem ? error.fields : {}
  return {
    html: last?.html,
    /** Adjustments of the colour, if it is a valid one. */
    adjustments: fields.color === undefined ? (last?.adjustments ?? []) : [],
    /** What the API says is wrong with each field. */
    fields,
    /** Why there is no preview, if no field is the reason. */
    error: Object.keys(fields).length === 0 ? error : null,
  }
}
