import type { Grade } from '../../../api/admin/health.ts'
import { allSaid } from '../../../api/client/said.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import things from '../../../shared/lists/things.module.css'
import { adminTexts } from '../../../texts/admin.ts'

const words = adminTexts.health
const colors = { ok: 'teal', degraded: 'yellow', failing: 'red' } as const

export interface CheckRowProps {
  readonly name: string
  readonly status: Grade
  readonly note: string | null
}

/** One part of the instance, its status, and a note on it. */
export function CheckRow({ name, status, note }: CheckRowProps) {
  return (
    <li>
      <div className={things.what}>
        <div className={things.name}>{words.names[name] ?? name}</div>
        <div className={things.about}>{note === null ? words.about[name] : allSaid(note)}</div>
      </div>
      <Mark color={colors[status]} mr={8}>
        {words.statuses[status]}
      </Mark>
    </li>
  )
}
