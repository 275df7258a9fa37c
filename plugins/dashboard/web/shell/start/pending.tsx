import { Skeleton } from '@mantine/core'
import { Rows } from '../../shared/lists/rows.tsx'

/** A placeholder for a page that is loading. */
export function Pending() {
  return (
    <>
      <Skeleton height={36} width="12rem" mb="lg" />
      <Rows />
    </>
  )
}
