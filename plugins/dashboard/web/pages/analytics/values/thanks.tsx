import { Anchor } from '@mantine/core'
import type { Dimension } from '../words/dimensions.ts'

/** Credits the source of a dimension's data, if it requires attribution. */
export function Thanks({ attribution }: Pick<Dimension, 'attribution'>) {
  if (!attribution) return null
  return (
    <Anchor
      href={attribution.url}
      target="_blank"
      rel="noreferrer"
      size="xs"
      c="dimmed"
      underline="always"
    >
      {attribution.text}
    </Anchor>
  )
}
