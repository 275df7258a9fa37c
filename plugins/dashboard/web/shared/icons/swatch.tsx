import type { ComponentProps } from 'react'
import classes from './swatch.module.css'

export interface SwatchProps extends ComponentProps<'input'> {
  readonly label: string
  /** The colour, such as `#1971C2`; none by default. */
  readonly color?: string | undefined
  readonly 'data-chosen'?: true | undefined
}

/** A spot of colour, covered by an invisible input, with optional content on top. */
export function Swatch(props: SwatchProps) {
  const { label, color, className = '', 'data-chosen': isChosen, children, ...input } = props
  return (
    <label
      className={`${classes.swatch} ${className}`}
      data-chosen={isChosen}
      style={color === undefined ? undefined : { background: color }}
    >
      <input aria-label={label} {...input} />
      {children}
    </label>
  )
}
