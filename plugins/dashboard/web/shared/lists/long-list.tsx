import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { TryAgain } from '../notices/try-again.tsx'
import { MoreButton, type MoreButtonProps } from './more-button.tsx'
import { Rows } from './rows.tsx'
import things from './things.module.css'

/** What `useInfiniteQuery` gives of a `longList`. */
export interface LongListQuery<T> extends MoreButtonProps {
  readonly data: { readonly items: readonly T[]; readonly total: number } | undefined
  readonly error: unknown
  refetch(): unknown
}

export interface LongListProps<T> {
  readonly of: LongListQuery<T>
  /** Names the list for who does not see it. */
  readonly heading: string
  /** In its place while there is nothing in it. */
  readonly empty?: ReactNode
  /** Its things stand apart from each other, and not in one frame. */
  readonly isSpaced?: boolean | undefined
  /** The `<li>` of a thing, with its key. */
  children(thing: T): ReactNode
}

/** A `longList`: on its way, failed, empty, or as far as it has been read. */
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
