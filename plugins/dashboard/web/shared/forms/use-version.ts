import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../api/client/problem.ts'
import type { Version } from '../../api/client/version.ts'

/**
 * The newest version of a thing, to start a form with. `save` sends its `etag`. If the thing was changed
 * elsewhere meanwhile, the new version is read and `isStale` is set, which `Versioned` shows.
 */
export function useVersion<T>(resource: QueryKey, read: () => Promise<Version<T>>) {
  const [isStale, setIsStale] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: [...resource, 'version'],
    queryFn: read,
    gcTime: 0,
    // Only a refused save reads it again: anything else would discard what somebody is typing.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return {
    version: data,
    isStale,
    error,
    refetch,
    async save<Result>(send: (etag: string) => Promise<Result>): Promise<Result> {
      try {
        return await send(data?.etag ?? '*')
      } catch (error) {
        if (isProblem(error, 'stale')) {
          await refetch()
          setIsStale(true)
        }
        throw error
      }
    },
  }
}
