import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import {
  type Asked,
  chosen,
  type OtherStep,
  type StepDue,
  stepIn,
  stepOf,
} from '../client/second-step.ts'
import type { Profile } from './profile.ts'

/** Whether this instance is set up, whether the caller is signed in, and where else one can sign in. Needs no credentials. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/session'))).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether an account may sign in by password here. */
export function mayUsePassword(
  session: SessionState | undefined,
  { isAdmin }: Pick<Profile, 'isAdmin'>,
): boolean {
  const rule = session?.passwords ?? 'everybody'
  return rule === 'everybody' || (rule === 'admins' && isAdmin)
}

type SessionState = Awaited<ReturnType<NonNullable<(typeof sessionQuery)['queryFn']>>>

export interface FirstAdmin {
  /** From the server's log. */
  readonly code: string
  readonly email: string
  readonly password: string
  readonly full_name: string | null
}

/** Create the first admin and sign in. Works only once. */
export async function setUp(body: FirstAdmin): Promise<void> {
  await api.POST('/api/v1/setup', { body })
}

/** Sign in. Returns the account, or the second step that it asks for. */
export function signIn(body: { email: string; password: string }): Promise<Profile | StepDue> {
  return accountOrStep(api.POST('/api/v1/session', { body }))
}

/** Ask the question of what signs people in without a password. Returns it as if it were the second step. */
export async function askFirst(first: OtherStep): Promise<StepDue> {
  const { data } = await dataOf(api.POST('/api/v1/session/ask', { body: chosen(first) }))
  return stepOf(data as Asked)
}

/** Answer a step. Returns the account, or the next step. */
export function answerStep(body: { ticket: string; answer: string }): Promise<Profile | StepDue> {
  return accountOrStep(api.POST('/api/v1/session/step', { body }))
}

/** Ask for an alternative of a second step. */
export function chooseStep(ticket: string, other: OtherStep): Promise<Profile | StepDue> {
  return accountOrStep(api.POST('/api/v1/session/step', { body: { ticket, ...chosen(other) } }))
}

/** The second step that somebody owes who comes from a provider with a ticket. */
export async function readStep(ticket: string): Promise<StepDue> {
  const asked = await accountOrStep(api.POST('/api/v1/session/step', { body: { ticket } }))
  if (isStep(asked)) return asked
  throw new TypeError('The ticket asks nothing.')
}

export function isStep(it: Profile | StepDue): it is StepDue {
  return 'ticket' in it
}

/** What a sign-in answers. */
export async function accountOrStep(
  call: Promise<{ readonly data?: { readonly data: Profile } }>,
): Promise<Profile | StepDue> {
  try {
    return (await dataOf(call)).data
  } catch (error) {
    const due = stepIn(error)
    if (due) return due
    throw error
  }
}

export async function signOut(): Promise<void> {
  await api.DELETE('/api/v1/session')
}
