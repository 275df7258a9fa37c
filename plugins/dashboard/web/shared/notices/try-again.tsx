import { Button } from '@mantine/core'
import { isProblem } from '../../api/client/problem.ts'
import { texts } from '../../texts.ts'
import { Empty } from './empty.tsx'
import { messageOf } from './notify.ts'

export interface TryAgainProps {
  readonly error: unknown
  onRetry(): unknown
}

/** Shown in place of what could not be read. Empty if the session is over, because the sign-in page follows. */
export function TryAgain({ error, onRetry }: TryAgainProps) {
  if (isProblem(error, 401)) return null
  return (
    <Empty heading={texts.errors.heading} lead={messageOf(error)}>
      <Button variant="default" onClick={() => onRetry()}>
        {texts.common.retry}
      </Button>
    </Empty>
  )
}
