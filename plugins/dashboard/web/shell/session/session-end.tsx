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

/** Above every page, once its session is over: the way on. */
export function SessionEnd() {
  const isOver = useSyncExternalStore(watchSession, isSessionOver)
  const [wasOver, setWasOver] = useState(false)
  if (isOver && !wasOver) setWasOver(true)
  const path = useRouterState({ select: state => state.location.pathname })
  // What waits was sent from the page before.
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
