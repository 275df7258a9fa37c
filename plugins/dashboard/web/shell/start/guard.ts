import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { profileQuery } from '../../api/account/profile.ts'
import { sessionQuery } from '../../api/account/session.ts'
import { manifestQuery } from '../../api/instance/manifest.ts'

interface Arrival {
  readonly context: { readonly queryClient: QueryClient }
  readonly location: { readonly href: string; readonly hash: string }
}

interface Arrived extends Arrival {
  readonly search: { readonly problem?: string | undefined }
}

/** Guards the pages of the shell: without a session it redirects to the sign-in page, which returns here afterwards. */
export async function mustBeSignedIn({ context, location }: Arrival): Promise<void> {
  const { queryClient } = context
  const session = await queryClient.ensureQueryData(sessionQuery)
  // The set-up address in the log has the code after a #.
  if (!session.isSetUp) throw redirect({ to: '/set-up', hash: location.hash, replace: true })
  if (!session.isSignedIn) {
    throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true })
  }
  await Promise.all([
    queryClient.ensureQueryData(profileQuery),
    queryClient.ensureQueryData(manifestQuery),
  ])
}

/**
 * Guards the sign-in page: an instance without an account is set up first. Who is signed in stays away from it, unless they
 * were at a provider to prove that again.
 */
export async function mustBeSetUp({ context, location, search }: Arrived): Promise<void> {
  const { queryClient } = context
  const session = await queryClient.ensureQueryData(sessionQuery)
  if (!session.isSetUp) throw redirect({ to: '/set-up', replace: true })
  const isBack = search.problem !== undefined || location.hash.startsWith('ticket=')
  if (session.isSignedIn && !isBack) throw redirect({ to: '/links', replace: true })
}

/** Guards the set-up page: set-up happens only once. */
export async function mustBeNew({ context: { queryClient } }: Arrival): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  if (session.isSetUp) throw redirect({ to: '/links', replace: true })
}
