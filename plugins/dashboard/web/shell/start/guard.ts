import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { profileQuery } from '../../api/account/profile.ts'
import { sessionQuery } from '../../api/account/session.ts'
import { manifestQuery } from '../../api/instance/manifest.ts'

interface Arrival {
  readonly context: { readonly queryClient: QueryClient }
  readonly location: { readonly href: string; readonly hash: string }
}

/** Before any page of the shell: who is not signed in goes to the door, and comes back afterwards. */
export async function mustBeSignedIn({ context, location }: Arrival): Promise<void> {
  const { queryClient } = context
  const session = await queryClient.ensureQueryData(sessionQuery)
  // The address in the log has the code behind a #.
  if (!session.isSetUp) throw redirect({ to: '/set-up', hash: location.hash, replace: true })
  if (!session.isSignedIn) {
    throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true })
  }
  await Promise.all([
    queryClient.ensureQueryData(profileQuery),
    queryClient.ensureQueryData(manifestQuery),
  ])
}

/** Before signing in: an instance without an account is set up first. */
export async function mustBeSetUp({ context: { queryClient } }: Arrival): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  if (!session.isSetUp) throw redirect({ to: '/set-up', replace: true })
  if (session.isSignedIn) throw redirect({ to: '/links', replace: true })
}

/** Before the set-up: it happens once. */
export async function mustBeNew({ context: { queryClient } }: Arrival): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  if (session.isSetUp) throw redirect({ to: '/links', replace: true })
}
