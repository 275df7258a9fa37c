import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../api/client/problem.ts'
import type { Version } from '../../api/client/version.ts'

/**
 * The newest version of a thing, for a form to begin with. `save` sends its `etag` along; when it was changed
 * elsewhere meanwhile, what is there now is read and `isStale` says so: `Versioned` shows it.
 */
export function useVersion<T>(resource: QueryKey, read: () => Promise<Version<T>>) {
  const [isStale, setIsStale] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: [...resource, 'version'],
    queryFn: read,
    gcTime: 0,
    // Nothing but a refusal reads it again: that would throw away what somebody is typing.
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
