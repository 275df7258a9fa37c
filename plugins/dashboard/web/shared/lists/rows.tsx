import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { texts } from '../../texts.ts'

const places = [1, 2, 3, 4, 5, 6]

/** A placeholder for a list that is loading. */
export function Rows() {
  return (
    <Stack gap="sm" aria-busy="true">
      <VisuallyHidden role="status">{texts.shell.loading}</VisuallyHidden>
      {places.map(place => (
        <Skeleton key={place} height={64} />
      ))}
    </Stack>
  )
}
