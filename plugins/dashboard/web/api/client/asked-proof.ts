import { isProblem, problemIn } from './problem.ts'
import { type Asked, chosen, type OtherStep, type StepDue, stepIn, stepOf } from './second-step.ts'
import { fetchSignedIn } from './session-end.ts'

/**
 * Handles requests that want to know again who is at the browser: one that is refused for that waits here, while somebody
 * types the password, or answers a second step, and is then sent again. So no form needs a field for it.
 */

/** What is asked: the password, the question of a step, or to go to where the account signs in, or to choose a passkey. */
export type Question =
  | { readonly kind: 'password'; readonly isWrong: boolean }
  | { readonly kind: 'step'; readonly due: StepDue; readonly problem?: string | undefined }
  | { readonly kind: 'provider' }

/** A request that waits for an answer. */
export interface Asking {
  readonly question: Question
  answer(text: string): void
  /** Ask an alternative of the step in its place, or a step where none was asked. */
  choose(other: OtherStep): void
  cancel(): void
}

let asking: Asking | undefined
/** Requests ask one after another. */
let last: Promise<unknown> = Promise.resolve()
const watchers = new Set<() => void>()

/** Call `watcher` when something is asked, or no more. Without a watcher, refusals are handed on. */
export function watchAsking(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const askingNow = (): Asking | undefined => asking

/** Send a request, and again once it is proven who sends it, if that is asked for. Aborted if nobody wants to prove it. */
export async function fetchConfirmed(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await fetchSignedIn(request)
  if (watchers.size === 0 || !(await wantedBy(response))) return response
  const text = await again.text()
  const turn = last.then(() => untilProven(response, again, text)).finally(() => tell(undefined))
  last = turn.catch(() => undefined)
  return turn
}

async function untilProven(first: Response, request: Request, text: string): Promise<Response> {
  const { url, method, signal } = request
  const headers = new Headers(request.headers)
  // Its form may have a field for the password.
  const { current_password: typed } = JSON.parse(text || '{}')
  let password: string | undefined
  let isProven = false
  for (let response = first; ; ) {
    const wanted = await wantedBy(response)
    if (wanted === 'password' && typed === undefined) {
      password = await ask({ kind: 'password', isWrong: password !== undefined })
    } else if (wanted === 'proof' && !isProven) {
      // It is empty where the form did not ask for it.
      await prove(password ?? (typed || undefined))
      isProven = true
    } else return response
    if (password !== undefined) headers.set('Content-Type', 'application/json')
    const body =
      password === undefined
        ? text
        : JSON.stringify({ ...JSON.parse(text || '{}'), current_password: password })
    response = await fetchSignedIn(
      new Request(url, { method, headers, signal, ...(body !== '' && { body }) }),
    )
  }
}

/** Prove to the server again who is at this browser: by the password, and the second steps that it asks for. */
async function prove(password: string | undefined): Promise<void> {
  let sent: object = password === undefined ? {} : { current_password: password }
  let due: StepDue | undefined
  for (;;) {
    const response = await fetchSignedIn(proofOf(sent))
    if (response.ok) return
    const problem = await problemIn(response)
    const next = stepIn(problem)
    due = next ?? due
    if (problem.code === 'wrong_password') {
      const isWrong = 'current_password' in sent
      sent = { current_password: await ask({ kind: 'password', isWrong }) }
    } else if (due && (next || problem.code === 'wrong_answer')) {
      const said = next ? undefined : (problem.fields.answer ?? problem.message)
      const { ticket } = due
      sent = { ticket, ...(await askStep({ kind: 'step', due, problem: said })) }
    } else if (problem.code === 'fresh_sign_in_required') {
      const { step } = await askStep({ kind: 'provider' })
      if (step) due = await askFirst(step)
      if (due) sent = { ticket: due.ticket, ...(await askStep({ kind: 'step', due })) }
    } else throw problem
  }
}

function proofOf(sent: object): Request {
  return postOf('/api/v1/session/proof', sent)
}

/** The question of what proves it without a password, such as a passkey. */
async function askFirst(step: Omit<OtherStep, 'label'>): Promise<StepDue> {
  const response = await fetchSignedIn(postOf('/api/v1/session/ask', chosen(step)))
  if (!response.ok) throw await problemIn(response)
  const { data } = (await response.json()) as { readonly data: Asked }
  return stepOf(data)
}

function postOf(path: string, sent: object): Request {
  const headers = { 'Content-Type': 'application/json' }
  return new Request(path, { method: 'POST', headers, body: JSON.stringify(sent) })
}

async function ask(question: Question): Promise<string> {
  return (await askStep(question)).answer ?? ''
}

/** What is sent with the ticket of a step: the answer, or the alternative that somebody chose. */
function askStep(
  question: Question,
): Promise<{ answer?: string } & Partial<ReturnType<typeof chosen>>> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new DOMException('Nobody answered.', 'AbortError'))
    const answer = (text: string) => resolve({ answer: text })
    tell({ question, answer, choose: other => resolve(chosen(other)), cancel })
  })
}

function tell(now: Asking | undefined): void {
  asking = now
  for (const watcher of watchers) watcher()
}

async function wantedBy(response: Response): Promise<'password' | 'proof' | undefined> {
  if (response.status !== 422 && response.status !== 403) return undefined
  const problem = await problemIn(response.clone())
  if (isProblem(problem, 'wrong_password')) return 'password'
  return isProblem(problem, 'fresh_sign_in_required') ? 'proof' : undefined
}
