import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Profile } from '../../api/account/profile.ts'
import { answerStep, askFirst } from '../../api/account/session.ts'
import { offerPasskeys } from '../../api/client/passkeys.ts'
import type { OtherStep, StepDue } from '../../api/client/second-step.ts'
import { messageOf } from '../notices/notify.ts'
import { answerTo } from './answer-to.ts'

/** Signs in by what needs no password: by its button, or by a passkey that the browser offers beside the address. */
export function useFirstStep(
  steps: readonly OtherStep[],
  onResult: (result: Profile | StepDue) => void,
) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (step: OtherStep) => {
      const due = await askFirst(step)
      // Anything else has a form of its own.
      if (due.kind !== 'passkey') return due
      return answerStep({ ticket: due.ticket, answer: await answerTo(due, '') })
    },
    onSuccess: onResult,
    meta: { showsProblem: true },
  })
  const offer = useMutation({
    mutationFn: (signal: AbortSignal) => offered(steps, signal),
    onSuccess: result => result && onResult(result),
    meta: { showsProblem: true },
  })
  const start = useEffectEvent((signal: AbortSignal) => offer.mutate(signal))
  const isThere = steps.length > 0
  useEffect(() => {
    if (!isThere) return
    const left = new AbortController()
    start(left.signal)
    return () => left.abort()
  }, [isThere])
  const why = error ?? offer.error
  return { choose: mutate, isPending, problem: why ? messageOf(why) : undefined }
}

/** How long a browser offers passkeys by the same question, in milliseconds: less than it may be answered. */
const offerMs = 4 * 60_000

/** Waits for somebody to choose a passkey that the browser offers; undefined if nobody does before they leave. */
async function offered(steps: readonly OtherStep[], left: AbortSignal) {
  if (!(await canOfferPasskeys())) return undefined
  for (const step of steps) {
    while (!left.aborted) {
      const { kind, options, ticket } = await askFirst(step)
      if (kind !== 'passkey' || options === undefined) break
      const answer = await offerPasskeys(options, left, offerMs)
      if (answer === 'nobody') return undefined
      if (answer !== 'late') return answerStep({ ticket, answer })
    }
  }
  return undefined
}

async function canOfferPasskeys(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false
  return PublicKeyCredential.isConditionalMediationAvailable?.() ?? false
}
