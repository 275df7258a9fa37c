import type { ComponentProps } from 'react'
import classes from './swatch.module.css'

export interface SwatchProps extends ComponentProps<'input'> {
  readonly label: string
  /** What it shows, as `#1971C2`; nothing unless given. */
  readonly color?: string | undefined
  readonly 'data-chosen'?: true | undefined
}

/** A spot of a colour with an unseen input all over it, and with whatever is drawn on it. */
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
