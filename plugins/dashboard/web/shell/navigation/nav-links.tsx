import { Link } from '@tanstack/react-router'
import { IconPuzzle } from '../../shared/icons/icons.ts'
import classes from './nav-links.module.css'
import { siteName, usePanelPages, usePlaces, useSites } from './use-places.ts'

/** Links to the pages that this account has. */
export function NavLinks({ onGo }: { readonly onGo?: () => void }) {
  const places = [...usePlaces(), ...usePanelPages()]
  const sites = useSites()
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
      {sites.map(({ path, label }) => (
        <li key={path}>
          <Link
            to="/sites/$site"
            params={{ site: siteName(path) }}
            className={classes.link}
            {...(onGo && { onClick: onGo })}
          >
            <IconPuzzle size={19} stroke={1.75} aria-hidden="true" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
