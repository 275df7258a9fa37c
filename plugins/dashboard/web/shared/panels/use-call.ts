import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Answer,
  addressOf,
  type Call,
  change,
  createOnce,
  type Filling,
  panelsKey,
} from '../../api/instance/panels.ts'
import { linksKey } from '../../api/links/links.ts'
import { useRefresh } from '../page/use-refresh.ts'

/** Calls an endpoint of a plugin. */
export function useCall(call: Call, fill: Filling) {
  const address = addressOf(call, fill)
  const [create] = useState(() => createOnce(address))
  return (body?: object, etag?: string): Promise<Answer> =>
    call.method === 'POST'
      ? create(body ? { body } : {})
      : change(call.method, address, { ...(body && { body }), ...(etag && { etag }) })
}

/**
 * Reads again what a call may have changed: what panels show, and links. Resolves once what `own` answers is there, of
 * the panel itself: other plugins may take their time.
 */
export function useRefreshPanels(own?: string): () => Promise<unknown> {
  const refresh = useRefresh()
  const queryClient = useQueryClient()
  return async () => {
    void refresh(panelsKey, linksKey)
    if (own === undefined) return
    // It is being read already.
    const mine = { queryKey: [...panelsKey, own] }
    await queryClient.refetchQueries(mine, { cancelRefetch: false })
  }
}
