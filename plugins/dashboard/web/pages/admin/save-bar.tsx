import { Button } from '@mantine/core'
import { adminTexts } from '../../texts/admin.ts'
import { linkFormTexts } from '../../texts/link-form.ts'
import { texts } from '../../texts.ts'
import classes from './save-bar.module.css'

export interface SaveBarProps {
  /** Whether there is anything to save. */
  readonly isShown: boolean
  readonly isPending: boolean
  onDiscard(): void
}

/** The save buttons at the foot of a long form, in view wherever one scrolls. */
export function SaveBar({ isShown, isPending, onDiscard }: SaveBarProps) {
  return (
    <div className={classes.bar} data-shown={isShown || undefined}>
      <span role="status">{isShown && linkFormTexts.saveBar}</span>
      <Button type="button" variant="default" disabled={!isShown} onClick={() => onDiscard()}>
        {adminTexts.plans.reset}
      </Button>
      <Button type="submit" disabled={!isShown} loading={isPending}>
        {texts.common.save}
      </Button>
    </div>
  )
}
