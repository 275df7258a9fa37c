import {
  choice,
  definePlugin,
  endpoint,
  type Question,
  type Refusal,
  type SigningIn,
  z,
} from '../../core/plugin.ts'
import {
  checkAppCode,
  checkCode,
  find,
  hasApp,
  newRecoveryCodes,
  newSecret,
  recoveryCodesLeft,
} from './second-factor/app-codes.ts'
import { changes, group, recoveryCodes } from './second-factor/endpoint-parts.ts'
import { signsInByApp, turnOff, turnOnByApp } from './second-factor/on-and-off.ts'
import { passkeyEndpoints } from './second-factor/passkey-endpoints.ts'
import { examinePasskeys } from './second-factor/passkey-host.ts'
import { passkeyStep } from './second-factor/passkey-step.ts'
import { dashboard } from './second-factor/show.ts'
import {
  challengeTable,
  type OwnContext,
  passkeysOf,
  passkeyTable,
  type Tables,
  table,
} from './second-factor/tables.ts'
import {
  enterCode,
  enterRecoveryCode,
  isOff,
  isOnAlready,
  noSecretYet,
  setUp,
} from './second-factor/texts.ts'

const settings = {
  wantedOf: choice(['nobody', 'admins', 'everybody'], {
    label: 'Who must have a second factor',
    hint: 'Who has none sets it up at the next sign-in with a password. Providers ask in their own way.',
    labels: { nobody: 'Nobody', admins: 'Admins', everybody: 'Everybody' },
    default: 'nobody',
  }),
}

const status = z.strictObject({
  isOn: z.boolean(),
  hasApp: z.boolean(),
  /** Whether there is a secret, of which no code was shown yet. */
  isBegun: z.boolean(),
  passkeys: z.int().min(0),
  recoveryCodesLeft: z.int().min(0),
})

export default definePlugin<Tables>()({
  feature: 'organization.secondFactor',
  label: 'Second factor',
  about:
    'Sign in with a passkey alone, or with the password and a code of an app or a passkey, for who wants it, or must.',
  settings,
  migrations: {
    '001-factors': async ({ schema }) => {
      await schema
        .createTable(table)
        .addColumn('account_id', 'bigint', it =>
          it.primaryKey().references('accounts.id').onDelete('cascade'),
        )
        .addColumn('secret', 'text', it => it.notNull())
        .addColumn('used_step', 'bigint', it => it.notNull())
        .addColumn('recovery', 'text', it => it.notNull())
        .execute()
    },
    '002-passkeys': async ({ schema }) => {
      await schema
        .createTable(passkeyTable)
        .addColumn('id', 'text', it => it.primaryKey())
        .addColumn('account_id', 'bigint', it =>
          it.notNull().references('accounts.id').onDelete('cascade'),
        )
        .addColumn('public_key', 'text', it => it.notNull())
        .addColumn('counter', 'bigint', it => it.notNull())
        .addColumn('transports', 'text', it => it.notNull())
        .addColumn('created_at', 'bigint', it => it.notNull())
        .addColumn('used_at', 'bigint', it => it.notNull())
        .execute()
      await schema
        .createIndex(`${passkeyTable}_account`)
        .on(passkeyTable)
        .column('account_id')
        .execute()
    },
    '003-hosts-of-passkeys': async ({ schema }) => {
      await schema
        .alterTable(passkeyTable)
        .addColumn('host', 'text', it => it.notNull().defaultTo(''))
        .execute()
    },
    '004-names-of-passkeys': async ({ schema }) => {
      await schema
        .alterTable(passkeyTable)
        .addColumn('name', 'text', it => it.notNull().defaultTo('Passkey'))
        .execute()
    },
    '005-passkeys-without-a-password': async ({ schema }) => {
      await schema
        .alterTable(passkeyTable)
        .addColumn('signs_in', 'integer', it => it.notNull().defaultTo(0))
        .execute()
    },
    '006-answered-challenges': async ({ schema }) => {
      await schema
        .createTable(challengeTable)
        .addColumn('id', 'text', it => it.primaryKey())
        .addColumn('ends_at', 'bigint', it => it.notNull())
        .execute()
    },
  },
  unstable: {
    dashboard,
    examine: examinePasskeys,
    steps: {
      passkey: passkeyStep,
      code: {
        label: 'Authenticator app',
        method: 'otp',
        oneOf: 'secondFactor',
        isNeeded: ({ isAdmin, methods }, { settings: { wantedOf } }) =>
          methods.includes('pwd') &&
          (wantedOf === 'everybody' || (wantedOf === 'admins' && isAdmin)),
        ask,
        check,
      },
    },
  },
  endpoints: {
    'GET /second-factor': endpoint({
      summary: 'Tell whether you sign in with a code',
      group,
      scope: 'profile:read',
      answer: z.strictObject({ data: status }),
      async handle({ caller }, context: OwnContext) {
        const { accountId } = caller
        const isOn = await context.unstable.signIn.isRequired(accountId)
        const factor = await find(accountId, context)
        const passkeys = isOn ? (await passkeysOf(accountId, context)).length : 0
        const isApp = isOn && hasApp(factor)
        return {
          data: {
            ...{
              isOn,
              hasApp: isApp,
              isBegun: !isApp && Boolean(factor?.secret) && !hasApp(factor),
            },
            passkeys,
            recoveryCodesLeft: isOn ? recoveryCodesLeft(factor) : 0,
          },
        }
      },
    }),
    'POST /second-factor': endpoint({
      summary: 'Get a secret for an authenticator app',
      ...changes,
      answer: z.strictObject({
        data: z.strictObject({ secret: z.string(), uri: z.string(), picture: z.string() }),
      }),
      inTransaction: true,
      async handle({ caller: { accountId } }, context: OwnContext) {
        if (await signsInByApp(accountId, context)) return isOnAlready
        return { data: await newSecret(accountId, context) }
      },
    }),
    'POST /second-factor/confirm': endpoint({
      summary: 'Show a code of the app, and sign in with one from now on',
      ...changes,
      rateLimit: { max: 10, seconds: 60 },
      body: z.strictObject({ code: z.string().max(100) }),
      answer: recoveryCodes,
      inTransaction: true,
      handle: ({ caller, body }, context: OwnContext) =>
        confirmApp(caller.accountId, body.code, context),
    }),
    'POST /second-factor/recovery-codes': endpoint({
      summary: 'Get new recovery codes, in place of those that you have',
      ...changes,
      answer: recoveryCodes,
      inTransaction: true,
      async handle({ caller: { accountId } }, context: OwnContext) {
        if (!(await context.unstable.signIn.isRequired(accountId))) return isOff
        return { data: { recoveryCodes: await newRecoveryCodes(accountId, context) } }
      },
    }),
    ...passkeyEndpoints,
    'DELETE /second-factor': endpoint({
      summary: 'Sign in with the password alone again',
      ...changes,
      status: 204,
      inTransaction: true,
      handle: ({ caller: { accountId } }, context: OwnContext) => turnOff(accountId, context),
    }),
  },
})

async function confirmApp(accountId: number, code: string, context: OwnContext) {
  if (await signsInByApp(accountId, context)) return isOnAlready
  const factor = await find(accountId, context)
  if (!factor?.secret) return noSecretYet
  const refused = await checkAppCode(factor, code, context)
  if (refused) return refused
  await turnOnByApp(accountId, context)
  return { data: { recoveryCodes: await newRecoveryCodes(accountId, context) } }
}

async function ask({ accountId }: SigningIn, context: OwnContext): Promise<Question> {
  if (await context.unstable.signIn.isRequired(accountId)) {
    const isApp = hasApp(await find(accountId, context))
    return { text: isApp ? enterCode : enterRecoveryCode, kind: 'code' }
  }
  // Another secret each time: whoever saw one before may be somebody else who knows the password.
  const { picture, secret } = await newSecret(accountId, context)
  return { text: setUp, kind: 'code', picture, copy: secret }
}

async function check(
  { accountId }: SigningIn,
  answer: string,
  context: OwnContext,
): Promise<Refusal | undefined> {
  const factor = await find(accountId, context)
  if (!factor) return noSecretYet
  const isOn = await context.unstable.signIn.isRequired(accountId)
  const refused = await checkCode(factor, answer, !isOn || hasApp(factor), context)
  if (!refused) await turnOnByApp(accountId, context)
  return refused
}
