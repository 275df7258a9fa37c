import type { LinkStatus } from '../../../api/links/links.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import { texts } from '../../../texts.ts'

const colors: Readonly<Record<LinkStatus, string>> = {
  active: 'teal',
  scheduled: 'blue',
  expired: 'gray',
  exhausted: 'gray',
  archived: 'gray',
  blocked: 'red',
}

/** The status of a link. */
export function StatusBadge({ status }: { readonly status: LinkStatus }) {
  return (
    <Mark variant={status === 'active' ? 'dot' : 'light'} color={colors[status]}>
      {texts.links.statuses[status]}
    </Mark>
  )
}
