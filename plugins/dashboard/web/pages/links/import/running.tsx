import { Alert, Button, Progress, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { IconAlertCircle, IconDownload } from '../../../shared/icons/icons.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { manyTexts } from '../../../texts/many.ts'
import { texts } from '../../../texts.ts'
import { Unsaved } from '../link-form/unsaved.tsx'
import { Failures } from './failures.tsx'
import classes from './import.module.css'
import type { Planned } from './plan.ts'
import type { Table } from './read-table.ts'
import { type Failure, saveMade } from './results-file.ts'
import { useImport } from './use-import.ts'

export interface RunningProps {
  readonly table: Table
  readonly planned: readonly Planned[]
  onAgain(): void
}

/** Links that are being created, and finally the results. */
export function Running({ table, planned, onAgain }: RunningProps) {
  const ready = planned.filter(({ problem }) => !problem)
  const { outcomes, left, isRunning, problem, run, stop } = useImport(ready)
  useOnce(run)
  const made = outcomes.filter(({ shortUrl }) => shortUrl)
  const skipped = planned.flatMap(it => (it.problem ? [{ planned: it, problem: it.problem }] : []))
  const refused = outcomes.flatMap(it =>
    it.problem ? [{ planned: it.planned, problem: it.problem }] : [],
  )
  const unsent = left.map(it => ({ planned: it, problem: problem ?? manyTexts.notSent }))
  const failures: readonly Failure[] = [...skipped, ...refused, ...(isRunning ? [] : unsent)]
  const share = (100 * outcomes.length) / ready.length

  return (
    <div className={classes.preview}>
      <section className={classes.card} aria-labelledby="import-progress">
        <Title order={2} id="import-progress">
          {isRunning ? manyTexts.running : manyTexts.done}
        </Title>
        <Progress value={share} aria-label={manyTexts.progress} />
        <p role="status">
          {manyTexts.soFar(
            formatNumber(made.length),
            formatNumber(ready.length),
            failures.length,
            formatNumber(failures.length),
          )}
        </p>
        {problem && (
          <Alert color="linnet" variant="light" icon={<IconAlertCircle size={18} />} role="alert">
            {problem}
          </Alert>
        )}
        <div className={classes.buttons}>
          {isRunning && (
            <Button variant="default" onClick={stop}>
              {manyTexts.stop}
            </Button>
          )}
          {!isRunning && left.length > 0 && (
            <Button onClick={() => void run()}>{manyTexts.goOn(formatNumber(left.length))}</Button>
          )}
          {!isRunning && made.length > 0 && (
            <Button
              variant="default"
              leftSection={<IconDownload size={17} />}
              onClick={() => saveMade(made)}
            >
              {manyTexts.saveMade}
            </Button>
          )}
          {!isRunning && (
            <>
              <Button variant="default" onClick={onAgain}>
                {manyTexts.again}
              </Button>
              <Button variant="default" renderRoot={props => <Link {...props} to="/links" />}>
                {texts.newLink.toLinks}
              </Button>
            </>
          )}
        </div>
      </section>
      {!isRunning && failures.length > 0 && <Failures table={table} failures={failures} />}
      <Unsaved isUnsaved={() => isRunning} warning={manyTexts.leaveWarning} />
    </div>
  )
}

/** Runs `begin` once, although React runs effects twice during development. */
function useOnce(begin: () => unknown): void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    begin()
  })
}
