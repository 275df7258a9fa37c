import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconPalette } from '../../../shared/icons.ts'
import { texts } from '../../../texts.ts'
import classes from './color-text.module.css'

const words = texts.admin.brand

export interface ColorTextProps {
  readonly value?: string
  readonly error: ReactNode
  onChange(value: string): void
}

/** A colour, typed or chosen; empty: none. */
export function ColorText({ value = '', onChange, ...props }: ColorTextProps) {
  const isColor = /^#[\da-f]{6}$/i.test(value)
  return (
    <TextInput
      label={words.color}
      description={words.colorHint}
      placeholder={words.noColor}
      spellCheck={false}
      autoComplete="off"
      leftSectionPointerEvents="all"
      leftSection={
        <label className={classes.color} style={isColor ? { background: value } : undefined}>
          <input
            type="color"
            aria-label={words.chooseColor}
            value={isColor ? value : '#808080'}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {!isColor && <IconPalette size={16} aria-hidden="true" />}
        </label>
      }
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...props}
    />
  )
}
