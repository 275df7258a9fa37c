import { useIsFetching } from '@tanstack/react-query'
import { type AnyRouter, CatchBoundary } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { askForAbove, isAboveAsked, watchAbove } from '../shared/dialogs/above-page.ts'
import { part } from '../shared/dialogs/late.ts'

const Layers = part(async () => (await import('./layers.tsx')).Layers)

/** Dialogs and notifications. Their code is loaded after the first page and all its data. If it cannot be, the page stays without them. */
export function AbovePage({ router }: { readonly router: AnyRouter }) {
  const isAsked = useSyncExternalStore(watchAbove, isAboveAsked)
  const [isRendered, setIsRendered] = useState(false)
  useEffect(() => router.subscribe('onRendered', () => setIsRendered(true)), [router])
  const isThere = useIsFetching() === 0 && isRendered
  useEffect(() => {
    if (!isThere) return
    // Let the browser paint the page first.
    const timer = setTimeout(askForAbove)
    return () => clearTimeout(timer)
  }, [isThere])
  return (
    isAsked && (
      <CatchBoundary getResetKey={() => 'above'} errorComponent={() => null}>
        <Suspense>
          <Layers />
        </Suspense>
      </CatchBoundary>
    )
  )
}
