import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PluginSetting } from '../../../../api/admin-plugins.ts'
import { texts } from '../../../../texts.ts'
import { hintOf } from './setting-fields.ts'

export interface SettingControlProps {
  readonly setting: PluginSetting
  readonly value: unknown
  readonly error: ReactNode
  /** Null: nothing. */
  onChange(value: unknown): void
}

/** The input for a setting; what has none of its own is written as text. */
export function SettingControl({ setting, value, error, onChange }: SettingControlProps) {
  const { label, control, schema } = setting
  const input = { label, description: hintOf(setting), error }
  if (control === 'toggle') {
    return (
      <Switch
        {...input}
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    )
  }
  if (control === 'number') {
    return (
      <NumberInput
        {...input}
        clampBehavior="none"
        hideControls
        value={typeof value === 'number' ? value : ''}
        onChange={given => onChange(given === '' ? null : given)}
      />
    )
  }
  if (control === 'choice' && Array.isArray(schema.enum)) {
    return (
      <Select
        {...input}
        allowDeselect={false}
        data={schema.enum.map(String)}
        value={String(value)}
        onChange={onChange}
      />
    )
  }
  if (control === 'list') {
    const lines = Array.isArray(value) ? value.join('\n') : ''
    return (
      <Textarea
        {...input}
        description={`${input.description} ${texts.linkForm.eachLine}`}
        autosize
        minRows={3}
        value={lines}
        onChange={({ currentTarget: { value: text } }) =>
          onChange(text === '' ? [] : text.split('\n'))
        }
      />
    )
  }
  return (
    <TextInput
      {...input}
      autoComplete="off"
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    />
  )
}
