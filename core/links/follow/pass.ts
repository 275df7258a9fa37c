import { createTickets } from '../../lib/tickets.ts'

/**
 * What a page that asks something carries in a hidden field, so that several guards can ask one after another:
 * which guard asked, and which were satisfied before. It is valid for ten minutes, and void after any change of the link.
 */
export interface Pass {
  /** The guard whose question the form shows. */
  readonly asked: string
  /** Guards that need not be asked again. */
  readonly satisfied: readonly string[]
}

/** The version of a link that a pass is for. */
export interface PassFor {
  readonly linkId: string
  readonly version: number
}

export interface PassKeeper {
  sign(pass: Pass, link: PassFor): string
  /** The pass that was signed for just this link and version; undefined for any other text. */
  read(text: string | undefined, link: PassFor): Pass | undefined
}

const lifeMs = 10 * 60_000

export function createPassKeeper(secret: Buffer, now: () => Date): PassKeeper {
  const tickets = createTickets<Pass & PassFor>({ secret, purpose: 'pass', lifeMs, now })
  return {
    sign: (pass, { linkId, version }) => tickets.make({ ...pass, linkId, version }),
    read(text = '', { linkId, version }) {
      const pass = tickets.read(text)?.content
      return pass?.linkId === linkId && pass.version === version ? pass : undefined
    },
  }
}
