import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sendOnce } from '../../../api/client/send-once.ts'
import { linksKey } from '../../../api/links/links.ts'
import { makeLinks, maxLinksAtOnce } from '../../../api/links/make-links.ts'
import { messageOf } from '../../../shared/notices/notify.ts'
import type { Planned } from './plan.ts'
import { type FieldsOf, useNames } from './use-names.ts'

/** A row that was sent, and its outcome. */
export interface Outcome {
  readonly planned: Planned
  readonly shortUrl: string | undefined
  readonly problem: string | undefined
}

export interface ImportState {
  readonly outcomes: readonly Outcome[]
  /** The rows that are not sent yet. */
  readonly left: readonly Planned[]
  readonly isRunning: boolean
  /** Why it stopped, if nobody stopped it. */
  readonly problem: string | undefined
}

/** Errors that every following link would get, too. */
const endings = ['plan_limit_reached', 'feature_disabled', 'feature_not_in_plan']

/** Creates many links, a portion at a time. It can be stopped between portions, and continues where it stopped. */
export function useImport(planned: readonly Planned[]) {
  const [state, setState] = useState<ImportState>({
    outcomes: [],
    left: planned,
    isRunning: false,
    problem: undefined,
  })
  const [send] = useState(() => sendOnce(makeLinks))
  const isWanted = useRef(false)
  const fieldsOf = useNames()
  const queryClient = useQueryClient()

  const run = async () => {
    isWanted.current = true
    let { outcomes, left } = state
    let problem: string | undefined
    setState({ outcomes, left, isRunning: true, problem })
    while (isWanted.current && left.length > 0 && problem === undefined) {
      try {
        const sent = left.slice(0, maxLinksAtOnce)
        const { done, late, end } = await sendSome(sent, fieldsOf, send)
        outcomes = [...outcomes, ...done]
        left = [...late, ...left.slice(sent.length)]
        problem = end
      } catch (error) {
        problem = messageOf(error)
      }
      setState({ outcomes, left, isRunning: true, problem: undefined })
    }
    setState({ outcomes, left, isRunning: false, problem })
    await queryClient.invalidateQueries({ queryKey: linksKey })
  }
  const stop = () => {
    isWanted.current = false
  }
  // Leaving the page stops the import.
  useEffect(
    () => () => {
      isWanted.current = false
    },
    [],
  )
  return { ...state, run, stop }
}

async function sendSome(
  planned: readonly Planned[],
  fieldsOf: FieldsOf,
  send: (links: Parameters<typeof makeLinks>[0]) => ReturnType<typeof makeLinks>,
) {
  const links = []
  for (const it of planned) links.push(await fieldsOf(it))
  const results = (await send(links)).flatMap(({ index, ...result }) => {
    const it = planned[index]
    return it ? [{ planned: it, ...result }] : []
  })
  const end = results.find(({ problem }) => problem && endings.includes(problem.code))?.problem
  return {
    done: results
      .filter(it => !it.isLate)
      .map(({ planned, shortUrl, problem }) => ({ planned, shortUrl, problem: problem?.detail })),
    late: results.filter(it => it.isLate).map(it => it.planned),
    end: end?.detail,
  }
}
