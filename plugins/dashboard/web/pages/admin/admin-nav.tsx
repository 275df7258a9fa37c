import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { healthQuery } from '../../api/admin/health.ts'
import { useFeature } from '../../api/instance/manifest.ts'
import { adminPages } from '../../shell/navigation/admin-pages.ts'
import { adminTexts } from '../../texts/admin.ts'
import classes from './admin-nav.module.css'

/** The navigation between the pages for admins. On a phone it is a strip that scrolls sideways. */
export function AdminNav() {
  const hasScanning = useFeature('link.urlScanning') !== 'absent'
  const list = useCurrentInView()
  return (
    <nav className={classes.nav} aria-label={adminTexts.navigation}>
      <ul ref={list}>
        {adminPages
          .filter(({ to }) => hasScanning || to !== '/admin/blocked-links')
          .map(({ group, to, label, icon: Icon }, index, pages) => (
            <li key={to} data-first={pages[index - 1]?.group !== group || undefined}>
              <Link to={to} className={classes.link}>
                <Icon size={17} stroke={1.75} aria-hidden="true" />
                {label}
                {to === '/admin/health' && <IllMark />}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** Shows on every page that something does not work. */
function IllMark() {
  const { data } = useQuery(healthQuery)
  if (!data || data.status === 'ok') return null
  return (
    <span className={classes.ill} data-status={data.status}>
      <VisuallyHidden>({adminTexts.ill})</VisuallyHidden>
    </span>
  )
}

/** Scrolls a strip that is longer than the screen so that the current page is in view. */
function useCurrentInView() {
  const list = useRef<HTMLUListElement>(null)
  const path = useRouterState({ select: state => state.resolvedLocation?.pathname })
  useEffect(() => {
    if (path === undefined || !list.current) return
    const current = list.current.querySelector<HTMLElement>('[aria-current]')
    if (current) list.current.scrollLeft = current.offsetLeft - list.current.clientWidth / 3
  }, [path])
  return list
}
