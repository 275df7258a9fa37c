import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What a page that asks something carries in a hidden field, so that several guards can ask one after another:
 * which guard asked, and which were satisfied before. It is signed, valid for ten minutes, and void after any
 * change of the link.
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
  const seal = (payload: string, { linkId, version }: PassFor) =>
    createHmac('sha256', secret).update(`${linkId} ${version} ${payload}`).digest()

  return {
    sign(pass, link) {
      const signed: Signed = { ...pass, until: now().getTime() + lifeMs }
      const payload = Buffer.from(JSON.stringify(signed)).toString('base64url')
      return `${payload}.${seal(payload, link).toString('base64url')}`
    },

    read(text, link) {
      const [payload, mark] = text?.split('.') ?? []
      if (!payload || !mark) return undefined
      const expected = seal(payload, link)
      const actual = Buffer.from(mark, 'base64url')
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
      const signed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Signed
      return signed.until > now().getTime() ? signed : undefined
    },
  }
}

interface Signed extends Pass {
  /** Milliseconds since 1970 UTC. */
  readonly until: number
}
