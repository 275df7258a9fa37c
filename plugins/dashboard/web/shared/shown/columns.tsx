import { VisuallyHidden } from '@mantine/core'
import { useColumns } from '../../api/links/additions.ts'
import type { Link } from '../../api/links/links.ts'
import classes from './columns.module.css'
import { valuesIn } from './shown-value.ts'
import { Value } from './value.tsx'

export interface ColumnsProps {
  readonly link: Link
  /** Names of those that are not shown. */
  readonly hidden?: readonly string[]
}

/** What plugins say of a link. A badge says enough by itself; other values follow what they are. */
export function Columns({ link, hidden = [] }: ColumnsProps) {
  const columns = useColumns()
  return columns
    .filter(({ name }) => !hidden.includes(name))
    .flatMap(shown =>
      valuesIn(link, shown).map(value => {
        const isWord = shown.words.some(it => it.value === String(value))
        const Label = isWord ? VisuallyHidden : 'span'
        return (
          <span key={`${shown.name} ${value}`} className={classes.column} title={shown.label}>
            <Label>{shown.label}</Label> <Value shown={shown} value={value} />
          </span>
        )
      }),
    )
}
