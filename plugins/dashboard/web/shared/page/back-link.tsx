import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconChevronLeft } from '../icons/icons.ts'
import classes from './back-link.module.css'

export interface BackLinkProps {
  readonly to: '/campaigns' | '/tokens' | '/admin/plans' | '/admin/plugins'
  readonly label: string
}

/** The link from one thing back to the list of all. */
export function BackLink({ to, label }: BackLinkProps) {
  return (
    <Anchor
      size="sm"
      c="dimmed"
      className={classes.back}
      renderRoot={props => <Link {...props} to={to} />}
    >
      <IconChevronLeft size={14} aria-hidden="true" /> {label}
    </Anchor>
  )
}
