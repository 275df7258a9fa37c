import { Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTitle } from '../../shared/page/page.tsx'
import { Bird } from './bird.tsx'
import classes from './door.module.css'

export interface DoorProps {
  readonly title: string
  readonly heading: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** The frame of the pages for people who are not signed in. */
export function Door({ title, heading, lead, children }: DoorProps) {
  useTitle(title)
  return (
    <main className={classes.door}>
      <Bird size={52} />
      <Title order={1}>{heading}</Title>
      {lead && <p className={classes.lead}>{lead}</p>}
      <Paper className={classes.card}>{children}</Paper>
    </main>
  )
}
