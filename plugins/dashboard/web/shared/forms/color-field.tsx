import { texts } from '../../texts.ts'
import { IconCheck, IconPalette } from '../icons/icons.ts'
import { Swatch } from '../icons/swatch.tsx'
import classes from './color-field.module.css'

/** Distinct for most eyes, and legible under white text: the palette from which the API picks in turn. */
const presets = {
  blue: '#1971C2',
  green: '#2F7D32',
  orange: '#C2410C',
  violet: '#7048E8',
  pink: '#C2255C',
  teal: '#0B7285',
  ochre: '#8A6100',
  purple: '#9C36B5',
  red: '#C92A2A',
  grey: '#495057',
} as const

const names = Object.keys(presets) as (keyof typeof presets)[]

/** The first colour that is not used yet. */
export function freshColor(used: readonly string[]): string {
  return Object.values(presets).find(color => !used.includes(color)) ?? presets.blue
}

export interface ColorFieldProps {
  /** Such as `#1971C2`. */
  readonly value: string
  onChange(value: string): void
}

/** Choose one of a few good colours, or any other. */
export function ColorField({ value, onChange }: ColorFieldProps) {
  const isOther = !names.some(name => presets[name] === value)
  return (
    <fieldset className={classes.field}>
      <legend>{texts.colors.legend}</legend>
      <div className={classes.colors}>
        {names.map(name => (
          <Swatch
            key={name}
            type="radio"
            name="color"
            className={classes.color}
            label={texts.colors.names[name]}
            color={presets[name]}
            checked={presets[name] === value}
            onChange={() => onChange(presets[name])}
          >
            <IconCheck className={classes.mark} size={16} stroke={3} aria-hidden="true" />
          </Swatch>
        ))}
        <Swatch
          type="color"
          className={`${classes.color} ${classes.other}`}
          label={texts.colors.other}
          color={isOther ? value : undefined}
          data-chosen={isOther || undefined}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value.toUpperCase())}
        >
          <IconPalette size={17} aria-hidden="true" />
        </Swatch>
      </div>
    </fieldset>
  )
}
