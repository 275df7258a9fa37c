import { VisuallyHidden } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '../../../shared/icons/icons.ts'
import { formatShare } from '../../../shared/text/format.ts'
import { texts } from '../../../texts.ts'
import classes from './change.module.css'

export interface ChangeProps {
  /** Relative change: 0.5 is 50 % more. */
  readonly change: number
  /** Neither an increase nor a decrease is better. */
  readonly isNeutral?: boolean
}

export function Change({ change, isNeutral = false }: ChangeProps) {
  if (change === 0) return <span className={classes.change}>{texts.analytics.unchanged}</span>
  const isMore = change > 0
  const Arrow = isMore ? IconArrowUpRight : IconArrowDownRight
  const tone = isMore ? 'better' : 'worse'
  return (
    <span className={classes.change} data-tone={isNeutral ? 'neutral' : tone}>
      <Arrow size={16} aria-hidden="true" />
      <VisuallyHidden>{isMore ? texts.analytics.more : texts.analytics.less}</VisuallyHidden>
      {formatShare(Math.abs(change))}
    </span>
  )
}
