import { useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import {
  giveUpAll,
  giveUpChanges,
  isSessionOver,
  watchSession,
} from '../../api/client/session-end.ts'
import { part } from '../../shared/dialogs/late.ts'

const SignInAgain = part(async () => (await import('./sign-in-again.tsx')).SignInAgain)

/** Shows the dialog to sign in again above every page, once the session is over. */
export function SessionEnd() {
  const isOver = useSyncExternalStore(watchSession, isSessionOver)
  const [wasOver, setWasOver] = useState(false)
  if (isOver && !wasOver) setWasOver(true)
  const path = useRouterState({ select: state => state.location.pathname })
  // The waiting changes were made on the previous page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(giveUpChanges, [path])
  useEffect(() => giveUpAll, [])
  return (
    wasOver && (
      <Suspense>
        <SignInAgain isOver={isOver} />
      </Suspense>
    )
  )
}
