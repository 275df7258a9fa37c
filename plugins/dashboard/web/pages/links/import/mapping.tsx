import { Select, Title } from '@mantine/core'
import { manyTexts } from '../../../texts/many.ts'
import type { Columns, Target } from './columns.ts'
import classes from './import.module.css'
import type { Table } from './read-table.ts'

export interface MappingProps {
  readonly table: Table
  readonly columns: Columns
  readonly possible: readonly Target[]
  onChange(columns: Columns): void
}

/** Choose what each column of a file contains. */
export function Mapping({ table: { head, rows }, columns, possible, onChange }: MappingProps) {
  const choose = (index: number, target: Target | null) =>
    onChange(
      columns.map((it, at) => {
        if (at === index) return target
        // No two columns can contain the same thing.
        return it === target ? null : it
      }),
    )
  return (
    <section className={classes.card} aria-labelledby="import-columns">
      <Title order={2} id="import-columns">
        {manyTexts.columns}
      </Title>
      <div className={classes.columns}>
        {columns.map((target, index) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name, and never move
            key={index}
            size="xs"
            label={head?.[index] || manyTexts.column(index + 1)}
            description={rows
              .find(({ cells }) => cells[index]?.trim())
              ?.cells[index]?.trim()
              .slice(0, 60)}
            inputWrapperOrder={['label', 'input', 'description']}
            classNames={{ description: classes.sample }}
            placeholder={manyTexts.leaveOut}
            data={possible.map(({ name, label }) => ({ value: name, label }))}
            value={target?.name ?? null}
            onChange={value => choose(index, possible.find(it => it.name === value) ?? null)}
            clearable
          />
        ))}
      </div>
    </section>
  )
}
