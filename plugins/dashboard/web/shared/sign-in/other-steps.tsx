import { Button } from '@mantine/core'
import type { OtherStep, StepDue } from '../../api/client/second-step.ts'
import { signInTexts } from '../../texts/settings.ts'

interface OtherStepsProps {
  readonly due: StepDue
  onChoose(other: OtherStep): void
}

/** Buttons for what may be answered in place of what is asked. */
export function OtherSteps({ due, onChoose, ...attributes }: OtherStepsProps) {
  return due.others.map(other => (
    <Button
      key={`${other.feature} ${other.name}`}
      variant="default"
      fullWidth
      onClick={() => onChoose(other)}
      {...attributes}
    >
      {signInTexts.instead(other.label)}
    </Button>
  ))
}
