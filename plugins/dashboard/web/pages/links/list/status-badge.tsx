import { useStatuses, useTone } from '../../../api/links/statuses.ts'
import { Mark } from '../../../shared/icons/mark.tsx'

/** Of statuses that say more than that a link does not lead on. */
const colors: Readonly<Record<string, string>> = {
  active: 'teal',
  scheduled: 'blue',
  blocked: 'red',
}

const tones = { good: 'teal', warning: 'yellow', bad: 'red' } as const

/** The status of a link. */
export function StatusBadge({ status }: { readonly status: string }) {
  const { [status]: label = status } = useStatuses()
  const tone = useTone(status)
  return (
    <Mark
      variant={status === 'active' ? 'dot' : 'light'}
      color={tone ? tones[tone] : (colors[status] ?? 'gray')}
    >
      {label}
    </Mark>
  )
}
