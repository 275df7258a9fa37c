import { allSaid } from '../../../api/client/said.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import things from '../../../shared/lists/things.module.css'
import { withValuesOfHere } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'

const words = adminTexts.health
const colors = { ok: 'teal', warning: 'yellow', problem: 'red' } as const

export interface FindingRowProps {
  readonly name: string
  readonly status: keyof typeof colors
  readonly says: string
  readonly remedy: string | null
}

/** Something that was checked, and what to do about it. */
export function FindingRow({ name, status, says, remedy }: FindingRowProps) {
  return (
    <li>
      <div className={things.what}>
        <div className={things.name}>{words.looks[name] ?? name}</div>
        <div className={things.about}>{withValuesOfHere(allSaid(says))}</div>
        {remedy !== null && <div>{withValuesOfHere(allSaid(remedy))}</div>}
      </div>
      <Mark color={colors[status]} mr={8}>
        {words.findings[status]}
      </Mark>
    </li>
  )
}
