import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../../api/account/session.ts'

/** Signs out; no data of the account stays in memory. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await signOut()
    queryClient.clear()
    await navigate({ to: '/sign-in' })
  }
}
