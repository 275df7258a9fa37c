/** Why an import cannot go on now: a sentence for people. What came stays, and it can go on later. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  /** True: somebody asked for it, or the server stops. */
  readonly isWanted: boolean

  constructor(sentence: string, isWanted = false) {
    super(sentence)
    this.isWanted = isWanted
  }
}

/** What is wrong with a request that an account would make now, and not with what is imported. */
export function isAboutAccount({ code }: { readonly code: string }): boolean {
  return code === 'plan_limit_reached' || code === 'limit_reached' || code === 'account_suspended'
}
