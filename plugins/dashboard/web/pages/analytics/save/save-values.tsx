import type { AnalyticsQuestion, Subject } from '../../../api/analytics/analytics.ts'
import type { Dimension } from '../words/dimensions.ts'
import { SavePanel } from './save-panel.tsx'

export interface SaveValuesProps {
  readonly subject: Subject
  readonly question: AnalyticsQuestion
  readonly dimension: Dimension
}

/** Saves the panel of one dimension as a file. */
export function SaveValues({ subject, question, dimension: { name, label } }: SaveValuesProps) {
  return (
    <SavePanel heading={label} subject={subject} question={{ ...question, dimensions: [name] }} />
  )
}
