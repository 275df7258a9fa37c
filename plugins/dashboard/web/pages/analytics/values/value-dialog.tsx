import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type {
  AnalyticsQuestion,
  Numbers,
  Subject,
  ValueRow,
} from '../../../api/analytics/analytics.ts'
import { mostLinks, type TopLinks, topLinksQuery } from '../../../api/analytics/top-links.ts'
import { noValue } from '../../../api/analytics/value-said.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { formatNumber } from '../../../shared/text/format.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { texts } from '../../../texts.ts'
import { Change } from '../card/change.tsx'
import { Timeline } from '../chart/timeline.tsx'
import type { Dimension } from '../words/dimensions.ts'
import { LinkTable } from './link-table.tsx'
import classes from './value-dialog.module.css'

export interface ValueDialogProps {
  readonly isOpen: boolean
  onClose(): void
  readonly subject: Subject
  readonly question: AnalyticsQuestion
  readonly dimension: Dimension
  /** Undefined until a row is opened. */
  readonly row: ValueRow | undefined
}

/** The visits of one value: over time and by link. Also says what the stored counts cannot tell. */
export function ValueDialog({ isOpen, onClose, dimension, row, ...asked }: ValueDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="xl"
      title={row && analyticsTexts.valueOf(dimension.label, row.label)}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      {row && <Told {...asked} dimension={dimension} row={row} />}
    </Modal>
  )
}

type ToldProps = Pick<ValueDialogProps, 'subject' | 'question' | 'dimension'> & {
  readonly row: ValueRow
}

/** Requested only once the dialog opens. */
function Told({ subject, question, dimension, row: { value } }: ToldProps) {
  const asked = { ...question, dimension: dimension.name, value, limit: mostLinks }
  const { data, error } = useQuery(topLinksQuery(subject, asked))
  if (error && !data) throw error
  if (!data) return <Rows />
  const { visits, previous, links } = data
  return (
    <div className={classes.told}>
      <p className={classes.sum}>
        <strong>{texts.links.visits(visits, formatNumber(visits))}</strong>
        {typeof previous?.change === 'number' && <Change change={previous.change} />}
        {previous && <span>{texts.analytics.was(formatNumber(previous.visits))}</span>}
      </p>
      {value === noValue && <p className={classes.words}>{analyticsTexts.noneMeans}</p>}
      {data.points && <Timeline dimension={line} beside={[]} numbers={numbersOf(data)} />}
      {subject.kind !== 'links' && links.length > 0 && (
        <section>
          <h2 className={classes.heading}>{analyticsTexts.itsLinks}</h2>
          <LinkTable links={links} />
        </section>
      )}
      <p className={classes.words}>{analyticsTexts.limits}</p>
    </div>
  )
}

const line: Dimension = {
  name: 'points',
  label: analyticsTexts.overTime,
  chart: 'line',
  attribution: null,
}

/** The same in the form that a chart reads. */
function numbersOf({ points = [], previous, ...span }: TopLinks): Numbers {
  return {
    ...span,
    totals: {},
    undated: 0,
    lists: { points },
    previous: previous && {
      ...previous,
      totals: {},
      change: {},
      lists: { points: previous.points ?? [] },
    },
  }
}
