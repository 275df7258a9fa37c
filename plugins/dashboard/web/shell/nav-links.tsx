import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { manifestQuery } from '../api/manifest.ts'
import { profileQuery } from '../api/profile.ts'
import classes from './nav-links.module.css'
import { navigation, type Place } from './navigation.ts'

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

function usePlaces(): readonly Place[] {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const installed = new Set(plugins.map(({ feature }) => feature))
  return navigation.filter(
    ({ feature, adminsOnly }) =>
      (feature === undefined || installed.has(feature)) && (!adminsOnly || profile.isAdmin),
  )
}
