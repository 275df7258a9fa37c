import { Badge, type BadgeProps } from '@mantine/core'
import type { ReactNode } from 'react'

export interface MarkProps extends BadgeProps {
  readonly children: ReactNode
}

/** Colours whose own writing is too pale on them. */
const pale: readonly unknown[] = ['yellow', 'teal']

/** A word on a thing, in a colour that says how it is. */
export function Mark({ children, ...props }: MarkProps) {
  return (
    <Badge
      variant="light"
      size="sm"
      tt="none"
      fw={600}
      flex="none"
      {...(pale.includes(props.color) && { c: 'var(--mantine-color-text)' })}
      {...props}
    >
      {children}
    </Badge>
  )
}
