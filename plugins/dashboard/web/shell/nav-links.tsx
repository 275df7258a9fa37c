import { Link } from '@tanstack/react-router'
import classes from './nav-links.module.css'
import { usePlaces } from './use-places.ts'

/** The ways to the pages that this account has. */
export function NavLinks({ onGo }: { readonly onGo?: () => void }) {
  const places = usePlaces()
  return (
    <ul className={classes.list}>
      {places.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link to={to} className={classes.link} {...(onGo && { onClick: onGo })}>
            <Icon size={19} stroke={1.75} aria-hidden="true" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
