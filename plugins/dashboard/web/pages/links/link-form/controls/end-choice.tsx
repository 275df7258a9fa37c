import { Button } from '@mantine/core'
import { Moment } from '../../../../shared/fields/controls/moment.tsx'
import { linkFormTexts } from '../../../../texts/link-form.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'
import classes from './end-choice.module.css'

const presets = [1, 7, 30, 365] as const

const dayMs = 86_400_000

/** When a link expires: at a moment, or a number of days from now. */
export function EndChoice(props: LinkControlProps) {
  const isFixed = props.field.state !== 'on'
  return (
    <div>
      <Moment {...props} />
      <fieldset className={classes.presets} aria-label={linkFormTexts.fromNow}>
        {presets.map(days => (
          <Button
            key={days}
            size="compact-xs"
            variant="default"
            disabled={isFixed}
            onClick={() => props.onChange(inDays(days))}
          >
            {linkFormTexts.endsIn[days]}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

/** Rounded to a whole minute, as the input shows it. */
function inDays(days: number): string {
  const date = new Date(Date.now() + days * dayMs)
  date.setSeconds(0, 0)
  return date.toISOString()
}
