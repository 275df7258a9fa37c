import type { Fields, Question, SigningIn, Step } from '../../../core/plugin.ts'
import { hasPasskeys, siteOf, worksHere } from './passkey-host.ts'
import { type OwnContext, passkeysOf, type Tables } from './tables.ts'
import { notAlone, usePasskeyNow, wrongPasskey } from './texts.ts'

/** Asked of who has passkeys that work here; the library is loaded for them alone. */
export const passkeyStep = {
  label: 'Passkey',
  method: 'hwk',
  oneOf: 'secondFactor',
  ask: askPasskey,
  async check({ accountId }: SigningIn, answer: string, context: OwnContext) {
    const { acceptPasskey } = await import('./passkeys.ts')
    return (await acceptPasskey(accountId, answer, context)) ? undefined : wrongPasskey
  },
  // It asks for a finger, a face or a PIN: two factors at once.
  first: {
    label: 'a passkey',
    isReady: context => hasPasskeys(siteOf(context)),
    async ask(context: OwnContext): Promise<Question> {
      const { optionsToSignIn } = await import('./passkeys.ts')
      const options = JSON.stringify(await optionsToSignIn(context))
      return { text: usePasskeyNow, kind: 'passkey', data: { options } }
    },
    async check(answer: string, context: OwnContext) {
      const { ownerOfPasskey } = await import('./passkeys.ts')
      const accountId = await ownerOfPasskey(answer, context)
      return accountId === undefined ? notAlone : { accountId }
    },
  },
} satisfies Step<Fields, unknown, Tables>

async function askPasskey(
  { accountId }: SigningIn,
  context: OwnContext,
): Promise<Question | undefined> {
  if (!(await context.unstable.signIn.isRequired(accountId))) return undefined
  const all = await passkeysOf(accountId, context)
  const known = all.filter(it => worksHere(it, context))
  if (known.length === 0) return undefined
  const { optionsToUse } = await import('./passkeys.ts')
  const options = JSON.stringify(await optionsToUse(accountId, known, context))
  return { text: usePasskeyNow, kind: 'passkey', data: { options } }
}
