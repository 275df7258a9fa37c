import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

export interface CardProps {
  readonly heading: string
  /** Beside the heading. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A frame for one part of the analytics, with its heading. */
export function Card({ heading, aside, children }: CardProps) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.header}>
        <h2 id={id} className={classes.heading}>
          {heading}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
