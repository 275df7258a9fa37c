import { Burger } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { profileQuery } from '../api/account/profile.ts'
import { changeAs } from '../api/client/session-end.ts'
import { late } from '../shared/dialogs/late.ts'
import { useShortcuts } from '../shared/page/use-shortcuts.ts'
import { texts } from '../texts.ts'
import { AccountMenu } from './account/account-menu.tsx'
import { Brand } from './brand/brand.tsx'
import { NavLinks } from './navigation/nav-links.tsx'
import { FindButton } from './palette/find-button.tsx'
import { type Overlay, Overlays } from './palette/overlays.tsx'
import { AskedProof } from './session/asked-proof.tsx'
import { SessionEnd } from './session/session-end.tsx'
import classes from './shell.module.css'

const SideDrawer = late(async () => (await import('./navigation/side-drawer.tsx')).SideDrawer)

/** The frame of every page for the signed-in account: navigation and account menu. */
export function Shell() {
  const [isOpen, { open, close }] = useDisclosure(false)
  const wasOpen = useRef(false)
  wasOpen.current ||= isOpen
  const main = useFocusOnArrival()
  const account = useAccount()
  const [overlay, setOverlay] = useState<Overlay>()
  const navigate = useNavigate()
  useHotkeys(useShortcuts([['c', () => void navigate({ to: '/links/new', search: {} })]]))

  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        {texts.shell.skip}
      </a>
      <nav className={classes.bar} aria-label={texts.shell.bar}>
        <Burger opened={isOpen} onClick={open} size="sm" aria-label={texts.shell.openNavigation} />
        <Brand />
        <span className={classes.end}>
          <FindButton isSmall onClick={() => setOverlay('palette')} />
          <AccountMenu isSmall />
        </span>
      </nav>
      <aside className={classes.side}>
        <Brand />
        <FindButton onClick={() => setOverlay('palette')} />
        <nav aria-label={texts.shell.navigation}>
          <NavLinks />
        </nav>
        <AccountMenu />
      </aside>
      {wasOpen.current && (
        <Suspense>
          <SideDrawer isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet key={account} />
      </main>
      <Overlays shown={overlay} onShow={setOverlay} />
      <AskedProof />
      <SessionEnd />
    </div>
  )
}

/**
 * The id of the signed-in account, in whose name all changes of this page are. If another account has signed in in another tab, the
 * page is reloaded.
 */
function useAccount(): string {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { id } = profile
  const known = useRef(id)
  useEffect(() => {
    if (known.current !== id) location.reload()
    else changeAs(id)
  }, [id])
  useEffect(() => () => changeAs(undefined), [])
  return id
}

/** Moves the focus to a new page, so that keyboard and screen reader are there too. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: state => state.resolvedLocation?.pathname })
  const lastPath = useRef(path)
  useEffect(() => {
    const isNew = lastPath.current !== undefined && path !== lastPath.current
    lastPath.current = path
    if (isNew && !main.current?.contains(document.activeElement)) {
      // Scrolling to it would move its start behind the header on a phone.
      main.current?.focus({ preventScroll: true })
    }
  }, [path])
  return main
}
