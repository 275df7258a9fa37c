import { Badge, type BadgeProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './mark.module.css'

export interface MarkProps extends BadgeProps {
  readonly children: ReactNode
}

/** Colours on which their own text colour is too pale. */
const pale: readonly unknown[] = ['yellow', 'teal']

/** A short label in a colour that shows a status. */
export function Mark({ children, ...props }: MarkProps) {
  return (
    <Badge
      variant="light"
      size="sm"
      tt="none"
      fw={600}
      flex="none"
      classNames={classes}
      {...(pale.includes(props.color) && { c: 'var(--mantine-color-text)' })}
      {...props}
    >
      {children}
    </Badge>
  )
}
