import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery, signOut } from '../../api/account/session.ts'

/** Signs out, and leaves for the provider that signed in, if it wants that; no data of the account stays in memory. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const { leaveUrl } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
    await signOut()
    queryClient.clear()
    if (leaveUrl !== null) return location.assign(leaveUrl)
    await navigate({ to: '/sign-in' })
  }
}
