import { endpoint, z } from '../../../core/plugin.ts'
import { newRecoveryCodes } from './app-codes.ts'
import { changes, recoveryCodes } from './endpoint-parts.ts'
import { forgetPasskeys, signsInByApp, turnOff } from './on-and-off.ts'
import { maxPasskeys, type Own, passkeysOf, table } from './tables.ts'
import { noPasskey, tooManyPasskeys } from './texts.ts'

export const passkeyEndpoints = {
  'POST /second-factor/passkeys': endpoint({
    summary: 'Begin to make a passkey',
    ...changes,
    answer: z.strictObject({
      data: z.strictObject({
        options: z.string().meta({
          description: 'What `navigator.credentials.create` needs, as JSON (WebAuthn Level 3).',
        }),
      }),
    }),
    async handle({ caller: { accountId } }, context: Own) {
      const isOn = await context.unstable.signIn.isRequired(accountId)
      // What is left of one that ended is of no use.
      if (!isOn) await forgetPasskeys(accountId, context)
      if ((await passkeysOf(accountId, context)).length >= maxPasskeys) return tooManyPasskeys
      const { optionsToMake } = await import('./passkeys.ts')
      return { data: { options: JSON.stringify(await optionsToMake(accountId, context)) } }
    },
  }),
  'POST /second-factor/passkeys/confirm': endpoint({
    summary: 'Keep the passkey that the browser made, and sign in with it from now on',
    ...changes,
    rateLimit: { max: 10, seconds: 60 },
    body: z.strictObject({
      passkey: z
        .string()
        .max(100_000)
        .meta({ description: 'What `navigator.credentials.create` returned, as JSON.' }),
    }),
    answer: recoveryCodes,
    handle: ({ caller, body }, context: Own) => addPasskey(caller.accountId, body.passkey, context),
  }),
  'DELETE /second-factor/passkeys': endpoint({
    summary: 'Remove all passkeys; without an app, sign in with the password alone again',
    ...changes,
    status: 204,
    inTransaction: true,
    async handle({ caller: { accountId } }, context: Own) {
      if (await signsInByApp(accountId, context)) await forgetPasskeys(accountId, context)
      else await turnOff(accountId, context)
    },
  }),
}

async function addPasskey(accountId: number, passkey: string, context: Own) {
  const { keepPasskey } = await import('./passkeys.ts')
  if (!(await keepPasskey(accountId, passkey, context))) return noPasskey
  const { signIn } = context.unstable
  if (await signIn.isRequired(accountId)) return { data: { recoveryCodes: [] } }
  await context.db.deleteFrom(table).where('account_id', '=', accountId).execute()
  const recoveryCodes = await newRecoveryCodes(accountId, context)
  await signIn.requireStep(accountId, true)
  return { data: { recoveryCodes } }
}
