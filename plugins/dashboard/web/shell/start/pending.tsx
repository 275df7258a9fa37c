import { Skeleton } from '@mantine/core'
import { Rows } from '../../shared/lists/rows.tsx'

/** The outline of a page that is on its way. */
export function Pending() {
  return (
    <>
      <Skeleton height={36} width="12rem" mb="lg" />
      <Rows />
    </>
  )
}
