import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  type AnalyticsQuestion,
  type Numbers,
  type Subject,
  type ValueRow,
  valuesOf,
} from '../../../api/analytics/analytics.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import { texts } from '../../../texts.ts'
import type { Dimension } from '../words/dimensions.ts'
import { AllValues } from './all-values.tsx'
import { Thanks } from './thanks.tsx'
import { ValueDialog } from './value-dialog.tsx'
import { ValueTable } from './value-table.tsx'
import classes from './values.module.css'

export interface ValuesProps {
  readonly subject: Subject
  readonly question: AnalyticsQuestion
  readonly numbers: Numbers
  readonly dimension: Dimension
  /** The value that is highlighted elsewhere, such as on a map. */
  readonly marked?: string | undefined
  onPoint?(value: string | undefined): void
}

/** A sum of shares that misses 1 by less than this is complete: the rest is rounding. */
const rounding = 1e-6

/** The most frequent values of a dimension, a button for all of them, and the attribution of the data. */
export function Values({ subject, question, numbers, dimension, ...pointing }: ValuesProps) {
  const { name, label, attribution } = dimension
  const [isOpen, { open, close }] = useDisclosure(false)
  const value = useDialog<ValueRow>()
  const rows = valuesOf(numbers, name)
  const told = rows.reduce((sum, { share }) => sum + share, 0)
  return (
    <div className={classes.values}>
      {rows.length > 0 ? (
        <ValueTable label={label} rows={rows} {...pointing} onOpen={value.open} />
      ) : (
        <p className={classes.none}>{texts.analytics.noValues}</p>
      )}
      <footer className={classes.footer}>
        <Thanks attribution={attribution} />
        {rows.length > 0 && told < 1 - rounding && (
          <Button variant="subtle" size="compact-sm" onClick={open}>
            {texts.analytics.showAll}
          </Button>
        )}
      </footer>
      <AllValues
        isOpen={isOpen}
        onClose={close}
        subject={subject}
        question={question}
        dimension={dimension}
        onOpen={row => {
          close()
          value.open(row)
        }}
      />
      <ValueDialog
        isOpen={value.isOpen}
        onClose={value.close}
        subject={subject}
        question={question}
        dimension={dimension}
        row={value.subject}
      />
    </div>
  )
}
