import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { TryAgain } from '../notices/try-again.tsx'
import { MoreButton, type MoreButtonProps } from './more-button.tsx'
import { Rows } from './rows.tsx'
import things from './things.module.css'

/** The result of `useInfiniteQuery` for a `longList`. */
export interface LongListQuery<T> extends MoreButtonProps {
  readonly data: { readonly items: readonly T[]; readonly total: number } | undefined
  readonly error: unknown
  refetch(): unknown
}

export interface LongListProps<T> {
  readonly of: LongListQuery<T>
  /** The accessible name of the list. */
  readonly heading: string
  /** Shown if the list is empty. */
  readonly empty?: ReactNode
  /** Separates its items from each other instead of framing them together. */
  readonly isSpaced?: boolean | undefined
  /** The `<li>` of a thing, with its key. */
  children(thing: T): ReactNode
}

/** Shows a `longList`: loading, failed, empty, or the part that has been read. */
export function LongList<T>({ of, heading, empty, isSpaced = false, children }: LongListProps<T>) {
  const { data, error, refetch, ...paging } = of
  if (!data) return error ? <TryAgain error={error} onRetry={refetch} /> : <Rows />
  if (data.total === 0 && empty) return empty
  return (
    <>
      <VisuallyHidden component="h2">{heading}</VisuallyHidden>
      <ul className={isSpaced ? things.cards : things.list}>{data.items.map(children)}</ul>
      <MoreButton {...paging} />
    </>
  )
}
