import { Badge } from '@mantine/core'
import type { LinkStatus } from '../../api/links.ts'
import { texts } from '../../texts.ts'

const colors: Readonly<Record<LinkStatus, string>> = {
  active: 'teal',
  scheduled: 'blue',
  expired: 'gray',
  exhausted: 'gray',
  archived: 'gray',
  blocked: 'red',
}

/** The state of a link, in a word. */
export function StatusBadge({ status }: { readonly status: LinkStatus }) {
  return (
    <Badge
      variant={status === 'active' ? 'dot' : 'light'}
      color={colors[status]}
      tt="none"
      fw={600}
    >
      {texts.links.statuses[status]}
    </Badge>
  )
}
