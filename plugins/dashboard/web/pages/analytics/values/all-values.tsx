import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type AnalyticsQuestion,
  type Subject,
  type ValueRow,
  valuesQuery,
} from '../../../api/analytics/analytics.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { texts } from '../../../texts.ts'
import type { Dimension } from '../words/dimensions.ts'
import { Thanks } from './thanks.tsx'
import { ValueTable } from './value-table.tsx'

export interface AllValuesProps {
  readonly isOpen: boolean
  onClose(): void
  readonly subject: Subject
  readonly question: AnalyticsQuestion
  readonly dimension: Dimension
  onOpen(row: ValueRow): void
}

/** All values of a dimension, in a dialog. */
export function AllValues({ isOpen, onClose, ...asked }: AllValuesProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={asked.dimension.label}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      <WholeTable {...asked} />
      <Thanks attribution={asked.dimension.attribution} />
    </Modal>
  )
}

type Asked = Omit<AllValuesProps, 'isOpen' | 'onClose'>

/** Requested only once the dialog opens. */
function WholeTable({ subject, question, dimension, onOpen }: Asked) {
  const { data, error } = useQuery(valuesQuery(subject, question, dimension.name))
  if (error && !data) throw error
  return data ? <ValueTable label={dimension.label} rows={data} onOpen={onOpen} /> : <Rows />
}
