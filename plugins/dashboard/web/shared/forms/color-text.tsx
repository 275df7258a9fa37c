import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { IconPalette } from '../icons/icons.ts'
import { Swatch } from '../icons/swatch.tsx'
import classes from './color-text.module.css'

export interface ColorTextProps {
  readonly label: string
  readonly description?: string
  /** The colour that applies while it is empty. */
  readonly placeholder?: string
  /** Such as `#1971c2`, or `#1971c280` with an opacity, or whatever was typed. */
  readonly value?: string
  readonly error?: ReactNode
  onChange(value: string): void
}

/** A colour, typed or picked. */
export function ColorText({ value = '', onChange, ...props }: ColorTextProps) {
  const isColor = /^#([\da-f]{2}){3,4}$/i.test(value)
  return (
    <TextInput
      spellCheck={false}
      autoComplete="off"
      leftSectionPointerEvents="all"
      leftSection={
        <Swatch
          type="color"
          className={classes.palette}
          label={texts.colors.paletteOf(props.label)}
          color={isColor ? value : undefined}
          // Without the opacity, which the palette cannot show.
          value={isColor ? value.slice(0, 7) : '#808080'}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {!isColor && <IconPalette size={16} aria-hidden="true" />}
        </Swatch>
      }
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...props}
    />
  )
}
