import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

export interface SectionProps {
  readonly heading: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

/** One topic of the settings: its description on the left, its controls on the right. */
export function Section({ heading, lead, children }: SectionProps) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div>
        <Title order={2} size="h4" id={id}>
          {heading}
        </Title>
        {lead && <p className={classes.lead}>{lead}</p>}
      </div>
      <div className={classes.card}>{children}</div>
    </section>
  )
}
