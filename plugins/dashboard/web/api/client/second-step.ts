import { isProblem } from './problem.ts'

/** A question that an account must answer besides its password. */
export interface StepDue {
  /** To send with the answer. */
  readonly ticket: string
  /** Such as `Authenticator app`. */
  readonly label: string
  readonly text: string
  /** A few digits or letters, a line, or only a button. */
  readonly kind: 'code' | 'text' | 'confirm' | 'passkey'
  /** What a browser needs to use a passkey, as JSON. */
  readonly options?: string | undefined
  /** A data URI of a picture to scan. */
  readonly picture?: string | undefined
  /** A line to copy. */
  readonly copy?: string | undefined
  /** What may be answered in its place. */
  readonly others: readonly OtherStep[]
}

export interface OtherStep {
  readonly feature: string
  readonly name: string
  readonly label: string
}

/** What is sent to be asked an alternative. */
export function chosen({ feature, name }: Omit<OtherStep, 'label'>) {
  return { step: { feature, name } }
}

const kinds = ['code', 'text', 'confirm', 'passkey'] as const

/** The second step that a refused sign-in asks for; undefined if it was refused for something else. */
export function stepIn(error: unknown): StepDue | undefined {
  if (!isProblem(error, 'second_step_required')) return undefined
  const { ticket, step, alternatives = [] } = error.more as Partial<Asked>
  if (ticket === undefined || step === undefined) return undefined
  return stepOf({ ticket, step, alternatives })
}

/** A question as this app asks it. */
export function stepOf({
  ticket,
  step: { label, question },
  alternatives: others = [],
}: Asked): StepDue {
  return {
    ticket,
    label,
    text: question.text,
    kind: kinds.find(it => it === question.kind) ?? 'text',
    options: question.data?.options,
    picture: question.picture,
    copy: question.copy,
    others,
  }
}

/** A question, as the server asks it. */
export interface Asked {
  readonly ticket: string
  readonly alternatives?: readonly OtherStep[]
  readonly step: {
    readonly label: string
    readonly question: {
      readonly text: string
      readonly kind: string
      readonly data?: { readonly options?: string }
      readonly picture?: string
      readonly copy?: string
    }
  }
}
