import { Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { readStep, sessionQuery } from '../../api/account/session.ts'
import type { StepDue } from '../../api/client/second-step.ts'
import { messageOf } from '../../shared/notices/notify.ts'
import { SecondStep } from '../../shared/sign-in/second-step.tsx'
import { Door } from '../../shell/brand/door.tsx'
import { texts } from '../../texts.ts'
import { problemSaid } from './problem-said.ts'
import { SignInForm } from './sign-in-form.tsx'
import { StillSignedIn } from './still-signed-in.tsx'

const route = getRouteApi('/sign-in')

/** Signs in by password or elsewhere, and asks the second steps that follow. */
export function SignInPage() {
  const { next = '/links', problem } = route.useSearch()
  const router = useRouter()
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const returned = useReturned()
  const [asked, setAsked] = useState<StepDue | 'none'>()
  const [over, setOver] = useState<string>()
  const due = asked ?? returned.due
  const finish = () => {
    queryClient.clear()
    return router.navigate({ href: next, replace: true })
  }

  if (due !== undefined && due !== 'none') {
    return (
      <Door title={texts.signIn.title} heading={due.label}>
        <SecondStep
          key={due.ticket}
          due={due}
          onDone={finish}
          onNext={setAsked}
          onBack={why => {
            setAsked('none')
            setOver(why)
          }}
        />
      </Door>
    )
  }
  const said = over ?? returned.problem ?? (asked || !problem ? undefined : problemSaid(problem))
  return (
    <Door title={texts.signIn.title} heading={texts.signIn.heading}>
      {returned.isPending ? (
        <Skeleton height={160} />
      ) : session?.isSignedIn ? (
        <StillSignedIn problem={said} next={next} />
      ) : (
        <SignInForm problem={said} next={next} onDone={finish} onStep={setAsked} />
      )}
    </Door>
  )
}

/** The second step of somebody who was away at a provider and came back with a ticket. */
function useReturned() {
  const ticket = useLocation({ select: ({ hash }) => /^ticket=(.+)$/.exec(hash)?.[1] ?? '' })
  const { data, error, isLoading } = useQuery({
    queryKey: ['second-step', ticket],
    queryFn: () => readStep(ticket),
    enabled: ticket !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { due: data, problem: error ? messageOf(error) : undefined, isPending: isLoading }
}
