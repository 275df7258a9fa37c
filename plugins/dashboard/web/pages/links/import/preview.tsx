import { Button, SegmentedControl, Title } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { main, manifestQuery } from '../../../api/instance/manifest.ts'
import { TryAgain } from '../../../shared/notices/try-again.tsx'
import { formatNumber } from '../../../shared/text/format.ts'
import { manyTexts } from '../../../texts/many.ts'
import { type Columns, guessColumns, targetsIn } from './columns.ts'
import { draftsOf } from './drafts.ts'
import classes from './import.module.css'
import { Mapping } from './mapping.tsx'
import { type OnConflict, type Planned, planOf } from './plan.ts'
import { PreviewTable } from './preview-table.tsx'
import { conflictsQuery } from './read-conflicts.ts'
import type { Table } from './read-table.ts'

export interface PreviewProps {
  readonly table: Table
  onBack(): void
  onMake(planned: readonly Planned[]): void
}

const noConflicts = new Map()

/** Shows what will happen to each row, and what its columns contain. */
export function Preview({ table, onBack, onMake }: PreviewProps) {
  const { data: manifest } = useSuspenseQuery(manifestQuery)
  const possible = targetsIn(manifest)
  const [columns, setColumns] = useState<Columns>(() => guessColumns(table, possible, main.schemes))
  const [onConflict, setOnConflict] = useState<OnConflict>('skip')
  const drafts = useMemo(
    () => draftsOf(table.rows, columns, main.schemes, table.head),
    [table, columns],
  )
  const { data: conflicts, error, refetch } = useQuery(conflictsQuery(drafts))
  const planned = useMemo(
    () => planOf(drafts, conflicts ?? noConflicts, onConflict),
    [drafts, conflicts, onConflict],
  )
  const ready = planned.filter(({ problem }) => !problem).length
  const wrong = planned.length - ready

  return (
    <div className={classes.preview}>
      {table.head && (
        <Mapping table={table} columns={columns} possible={possible} onChange={setColumns} />
      )}
      <section className={classes.card} aria-labelledby="import-preview">
        <div className={classes.summary}>
          <Title order={2} id="import-preview">
            {manyTexts.preview}
          </Title>
          <p role="status">
            {conflicts
              ? manyTexts.ready(ready, formatNumber(ready), wrong, formatNumber(wrong))
              : manyTexts.asking}
          </p>
          {conflicts && conflicts.size > 0 && (
            <div className={classes.choice}>
              <span id="import-conflicts">{manyTexts.onConflict}</span>
              <SegmentedControl
                size="xs"
                aria-labelledby="import-conflicts"
                value={onConflict}
                onChange={setOnConflict}
                data={[
                  { value: 'skip', label: manyTexts.onConflicts.skip },
                  { value: 'other', label: manyTexts.onConflicts.other },
                ]}
              />
            </div>
          )}
        </div>
        {error && !conflicts ? (
          <TryAgain error={error} onRetry={refetch} />
        ) : (
          <PreviewTable planned={planned} columns={columns} />
        )}
      </section>
      <div className={classes.bar}>
        <Button variant="default" onClick={onBack}>
          {manyTexts.back}
        </Button>
        <Button disabled={!conflicts || ready === 0} onClick={() => onMake(planned)}>
          {manyTexts.make(ready, formatNumber(ready))}
        </Button>
      </div>
    </div>
  )
}
