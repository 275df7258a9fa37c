import { useIsFetching } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { askForAbove, isAboveAsked, watchAbove } from '../shared/dialogs/above-page.ts'
import { part } from '../shared/dialogs/late.ts'

const Layers = part(async () => (await import('./layers.tsx')).Layers)

/** Dialogs and notifications, whose code waits until the first page is there with all that it asked for. */
export function AbovePage({ router }: { readonly router: AnyRouter }) {
  const isAsked = useSyncExternalStore(watchAbove, isAboveAsked)
  const [isRendered, setIsRendered] = useState(false)
  useEffect(() => router.subscribe('onRendered', () => setIsRendered(true)), [router])
  const isThere = useIsFetching() === 0 && isRendered
  useEffect(() => {
    if (!isThere) return
    // The page is painted first.
    const timer = setTimeout(askForAbove)
    return () => clearTimeout(timer)
  }, [isThere])
  return (
    isAsked && (
      <Suspense>
        <Layers />
      </Suspense>
    )
  )
}
