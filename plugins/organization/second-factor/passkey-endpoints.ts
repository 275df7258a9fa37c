import { hash } from 'node:crypto'
import { endpoint, line, notFound, z } from '../../../core/plugin.ts'
import { newRecoveryCodes } from './app-codes.ts'
import { changes, group, recoveryCodes } from './endpoint-parts.ts'
import { isOn, signsInByApp, turnOff } from './on-and-off.ts'
import {
  maxPasskeys,
  type OwnContext,
  type Passkey,
  passkeysOf,
  passkeyTable,
  table,
} from './tables.ts'
import { noPasskey, tooManyPasskeys } from './texts.ts'

const shownPasskey = z.strictObject({
  id: z.string(),
  name: z.string(),
  signsInAlone: z.boolean().meta({
    description: 'Whether it signs its owner in without the password, or is asked for after it.',
  }),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().meta({
    description: 'When it last signed its owner in; null: never.',
  }),
})

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
    async handle({ caller: { accountId } }, context: OwnContext) {
      await isOn(accountId, context)
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
    inTransaction: true,
    handle: ({ caller, body }, context: OwnContext) =>
      addPasskey(caller.accountId, body.passkey, context),
  }),
  'GET /second-factor/passkeys': endpoint({
    summary: 'List your passkeys, oldest first',
    group,
    scope: 'profile:read',
    answer: z.strictObject({ data: z.array(shownPasskey) }),
    async handle({ caller: { accountId } }, context: OwnContext) {
      const isRequired = await context.unstable.signIn.isRequired(accountId)
      const all = isRequired ? await passkeysOf(accountId, context) : []
      return { data: all.map(show) }
    },
  }),
  'PATCH /second-factor/passkeys/:id': endpoint({
    summary: 'Name a passkey, or choose whether it signs you in without the password',
    ...changes,
    body: z.strictObject({ name: line(100), signsInAlone: z.boolean() }).partial(),
    answer: z.strictObject({ data: shownPasskey }),
    inTransaction: true,
    async handle({ caller, params, body: { name, signsInAlone } }, context: OwnContext) {
      const passkey = await findPasskey(caller.accountId, params.id, context)
      if (!passkey) return undefined
      const changed = {
        name: name ?? passkey.name,
        signs_in: signsInAlone === undefined ? passkey.signs_in : Number(signsInAlone),
      }
      await context.db.updateTable(passkeyTable).set(changed).where('id', '=', passkey.id).execute()
      return { data: show({ ...passkey, ...changed }) }
    },
  }),
  'DELETE /second-factor/passkeys/:id': endpoint({
    summary: 'Remove a passkey; the last one, without an app, leaves the password alone',
    ...changes,
    status: 204,
    inTransaction: true,
    async handle({ caller: { accountId }, params }, context: OwnContext) {
      const passkey = await findPasskey(accountId, params.id, context)
      if (!passkey) return notFound
      await context.db.deleteFrom(passkeyTable).where('id', '=', passkey.id).execute()
      const isLast = (await passkeysOf(accountId, context)).length === 0
      if (isLast && !(await signsInByApp(accountId, context))) await turnOff(accountId, context)
      return undefined
    },
  }),
}

async function addPasskey(accountId: number, passkey: string, context: OwnContext) {
  // It may have been reset since this passkey was begun.
  const wasOn = await isOn(accountId, context)
  if ((await passkeysOf(accountId, context)).length >= maxPasskeys) return tooManyPasskeys
  const { keepPasskey } = await import('./passkeys.ts')
  if (!(await keepPasskey(accountId, passkey, context))) return noPasskey
  if (wasOn) return { data: { recoveryCodes: [] } }
  await context.db.deleteFrom(table).where('account_id', '=', accountId).execute()
  const recoveryCodes = await newRecoveryCodes(accountId, context)
  await context.unstable.signIn.requireStep(accountId, true)
  return { data: { recoveryCodes } }
}

async function findPasskey(
  accountId: number,
  id: string | undefined,
  context: OwnContext,
): Promise<Passkey | undefined> {
  return (await passkeysOf(accountId, context)).find(it => idOf(it) === id)
}

/** Shorter than what browsers call it, which may have a thousand characters. */
function idOf({ id }: Passkey): string {
  return `pky_${hash('sha256', id).slice(0, 24)}`
}

function show(passkey: Passkey): z.output<typeof shownPasskey> {
  const [made, used] = [Number(passkey.created_at), Number(passkey.used_at)]
  return {
    id: idOf(passkey),
    name: passkey.name,
    signsInAlone: passkey.signs_in === 1,
    createdAt: new Date(made).toISOString(),
    lastUsedAt: used !== made ? new Date(used).toISOString() : null,
  }
}
