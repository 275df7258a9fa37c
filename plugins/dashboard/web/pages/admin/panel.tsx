import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './panel.module.css'

export interface PanelProps {
  readonly heading: string
  readonly lead?: string | undefined
  readonly children: ReactNode
}

/** A section of a page on a surface of its own. */
export function Panel({ heading, lead, children }: PanelProps) {
  return (
    <section className={classes.panel}>
      <Title order={2} size="h4">
        {heading}
      </Title>
      {lead && <p className={classes.lead}>{lead}</p>}
      <div className={classes.content}>{children}</div>
    </section>
  )
}
