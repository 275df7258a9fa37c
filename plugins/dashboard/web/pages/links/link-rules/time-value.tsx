import { Input, SegmentedControl, TextInput } from '@mantine/core'
import { ChooseOne } from '../../../shared/choices/choose-one.tsx'
import { browserZone, toInput, toMoment } from '../../../shared/fields/moments.ts'
import { rulesTexts } from '../../../texts/rules.ts'
import { texts } from '../../../texts.ts'
import { type Condition, valuesIn } from './rules.ts'
import classes from './rules-field.module.css'

export interface ConditionValueProps {
  readonly condition: Condition
  readonly error: string | undefined
  onChange(value: Condition['value']): void
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(it => it !== 'UTC')]
const anHour = 3_600_000

/** A window that repeats each day, or one from a moment to another. */
export function TimeValue({ condition, error, onChange }: ConditionValueProps) {
  const isOnce = Array.isArray(condition.value)
  const now = Date.now()
  return (
    <div className={classes.time}>
      <SegmentedControl
        size="xs"
        aria-label={rulesTexts.when}
        value={isOnce ? 'once' : 'daily'}
        data={[
          { value: 'daily', label: rulesTexts.daily },
          { value: 'once', label: rulesTexts.once },
        ]}
        onChange={kind =>
          onChange(
            kind === 'daily'
              ? windowOf({ from: '09:00', to: '17:00', zone: browserZone })
              : [new Date(now).toISOString(), new Date(now + 24 * anHour).toISOString()],
          )
        }
      />
      {isOnce ? (
        <Span moments={valuesIn(condition)} onChange={onChange} />
      ) : (
        <DailyWindow value={valuesIn(condition)[0] ?? ''} onChange={onChange} />
      )}
      {error && <Input.Error aria-live="polite">{error}</Input.Error>}
    </div>
  )
}

interface SpanProps {
  readonly moments: readonly string[]
  onChange(moments: readonly string[]): void
}

function Span({ moments: [from = '', to = ''], onChange }: SpanProps) {
  return (
    <>
      <TextInput
        type="datetime-local"
        label={rulesTexts.from}
        value={toInput(from)}
        onChange={({ currentTarget }) => onChange([toMoment(currentTarget.value) ?? '', to])}
      />
      <TextInput
        type="datetime-local"
        label={rulesTexts.to}
        description={texts.fields.zone(browserZone)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={toInput(to)}
        onChange={({ currentTarget }) => onChange([from, toMoment(currentTarget.value) ?? ''])}
      />
    </>
  )
}

interface DailyWindowProps {
  readonly value: string
  onChange(window: string): void
}

function DailyWindow({ value, onChange }: DailyWindowProps) {
  const window = windowIn(value)
  const change = (part: Partial<Window>) => onChange(windowOf({ ...window, ...part }))
  return (
    <>
      <TextInput
        type="time"
        label={rulesTexts.from}
        value={window.from}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextInput
        type="time"
        label={rulesTexts.to}
        value={window.to}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
      <ChooseOne
        label={rulesTexts.zone}
        data={zones}
        value={window.zone}
        onChange={zone => change({ zone: zone ?? 'UTC' })}
        allowDeselect={false}
      />
    </>
  )
}

/** Such as `22:00-06:00 Europe/Berlin`. */
interface Window {
  readonly from: string
  readonly to: string
  readonly zone: string
}

function windowIn(text: string): Window {
  const [hours = '', zone = 'UTC'] = text.split(' ')
  const [from = '', to = ''] = hours.split('-')
  return { from, to, zone }
}

function windowOf({ from, to, zone }: Window): string {
  return `${from}-${to} ${zone}`
}
