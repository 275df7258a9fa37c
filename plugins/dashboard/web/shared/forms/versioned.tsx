import { Skeleton } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { StaleNote } from '../notices/stale-note.tsx'
import { TryAgain } from '../notices/try-again.tsx'
import type { useVersion } from './use-version.ts'

export interface VersionedProps<T> {
  readonly of: ReturnType<typeof useVersion<T>>
  /** The approximate height of the form, in pixels. */
  readonly height: number
  children(data: T): ReactNode
}

/**
 * A form for the newest version of a thing, once it is loaded. If the thing was changed elsewhere meanwhile,
 * the form starts again with the new version and says so.
 */
export function Versioned<T>({ of, height, children }: VersionedProps<T>) {
  const { version, isStale, error, refetch } = of
  if (!version && error) return <TryAgain error={error} onRetry={refetch} />
  if (!version) return <Skeleton height={height} />
  return (
    <>
      <StaleNote isShown={isStale} />
      <Fragment key={version.etag}>{children(version.data)}</Fragment>
    </>
  )
}
