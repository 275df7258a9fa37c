import { TextInput } from '@mantine/core'
import { texts } from '../../../texts.ts'
import { type ControlProps, inputProps, textOf } from '../control-props.ts'
import { browserZone, toInput, toMoment, utcOf } from '../moments.ts'

/** A date and time in the browser's time zone, which the input names; the API receives the moment. */
export function Moment(props: ControlProps) {
  const { description, ...input } = inputProps(props)
  const moment = textOf(props.value)
  const zone =
    moment === ''
      ? texts.fields.zone(browserZone)
      : texts.fields.zoneAlso(browserZone, utcOf(moment))
  return (
    <TextInput
      {...input}
      type="datetime-local"
      description={[description, zone].filter(Boolean).join(' ')}
      value={toInput(moment)}
      onChange={({ currentTarget }) => props.onChange(toMoment(currentTarget.value))}
    />
  )
}
