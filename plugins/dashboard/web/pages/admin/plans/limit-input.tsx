import { Checkbox, NumberInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { unlimited } from '../../../api/account/profile.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './limit-input.module.css'

export interface LimitInputProps {
  readonly label: string
  readonly value?: number | ''
  readonly error?: ReactNode
  onChange(value: number | string): void
}

/** A number, or unlimited. */
export function LimitInput({ label, value = '', error, onChange }: LimitInputProps) {
  const isUnlimited = value === unlimited
  // The value from before somebody tried “Unlimited”.
  const [last, setLast] = useState<number | ''>(isUnlimited ? '' : value)
  return (
    <div className={classes.limit}>
      <NumberInput
        label={label}
        error={error}
        placeholder={isUnlimited ? adminTexts.plans.unlimited : undefined}
        disabled={isUnlimited}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        thousandSeparator
        hideControls
        value={isUnlimited ? '' : value}
        onChange={onChange}
      />
      <Checkbox
        label={adminTexts.plans.unlimited}
        aria-label={adminTexts.plans.unlimitedOf(label)}
        checked={isUnlimited}
        onChange={({ currentTarget }) => {
          if (currentTarget.checked) setLast(value)
          onChange(currentTarget.checked ? unlimited : last)
        }}
      />
    </div>
  )
}
