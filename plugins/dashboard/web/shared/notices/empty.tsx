import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty.module.css'

export interface EmptyProps {
  readonly icon?: ReactNode
  readonly heading: string
  /** What this place is for, and what to do first. */
  readonly lead: ReactNode
  readonly children?: ReactNode
  /** Whether it is the only content of its page. */
  readonly isPage?: boolean
}

/** Shown in place of content that does not exist yet; explains how to start. */
export function Empty({ icon, heading, lead, children, isPage = false }: EmptyProps) {
  return (
    <div className={classes.empty}>
      {icon && <div className={classes.icon}>{icon}</div>}
      <Title order={isPage ? 1 : 2} size="h3">
        {heading}
      </Title>
      <p>{lead}</p>
      {children}
    </div>
  )
}
