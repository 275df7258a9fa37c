import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/account/session.ts'
import type { OtherStep } from '../../api/client/second-step.ts'
import { signInTexts } from '../../texts/settings.ts'

interface FirstStepButtonsProps {
  readonly isPending?: boolean
  onChoose(step: OtherStep): void
}

/** Buttons for what signs people in without a password, such as a passkey. */
export function FirstStepButtons({ isPending, onChoose, ...attributes }: FirstStepButtonsProps) {
  const { data: session } = useQuery(sessionQuery)
  return session?.firstSteps.map(step => (
    <Button
      key={`${step.feature} ${step.name}`}
      variant="default"
      fullWidth
      loading={isPending ?? false}
      onClick={() => onChoose(step)}
      {...attributes}
    >
      {signInTexts.with(step.label)}
    </Button>
  ))
}
