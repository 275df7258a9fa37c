import { Button } from '@mantine/core'
import { panelTexts } from '../../texts/panels.ts'
import { texts } from '../../texts.ts'
import { messageOf } from '../notices/notify.ts'
import classes from './panel.module.css'

export interface FailedProps {
  /** Null if there is an answer, but not one that can be shown. */
  readonly error: unknown
  onRetry(): unknown
}

/** Says in a line why a panel shows nothing. */
export function Failed({ error, onRetry }: FailedProps) {
  return (
    <p className={classes.failed} role="alert">
      {error ? panelTexts.failed(messageOf(error)) : panelTexts.unexpected}{' '}
      <Button variant="subtle" size="compact-sm" onClick={() => onRetry()}>
        {texts.common.retry}
      </Button>
    </p>
  )
}
