import {
  choice,
  type Dashboard,
  definePlugin,
  endpoint,
  type Question,
  type Refusal,
  type SigningIn,
  text,
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
import { examinePasskeys, worksHere } from './second-factor/passkey-host.ts'
import {
  maxPasskeys,
  type Own,
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
  noPasskey,
  noSecretYet,
  setUp,
  tooManyPasskeys,
  usePasskeyNow,
  wrongPasskey,
} from './second-factor/texts.ts'

const settings = {
  wantedOf: choice(['nobody', 'admins', 'everybody'], {
    label: 'Who must have a second factor',
    hint: 'Who has none sets it up at the next sign-in with a password. Providers ask in their own way.',
    labels: { nobody: 'Nobody', admins: 'Admins', everybody: 'Everybody' },
    default: 'nobody',
  }),
}

/** Loaded only for who has a passkey or makes one. */
const passkeysOfBrowsers = () => import('./second-factor/passkeys.ts')

/** A browser that was left open must not change it, so it is proven again after ten minutes. */
const unstable = { fresh: 600 }
const group = 'Second factor'
const recoveryCodes = z.strictObject({
  data: z.strictObject({ recoveryCodes: z.array(z.string()) }),
})
const status = z.strictObject({
  isOn: z.boolean(),
  hasApp: z.boolean(),
  /** Whether there is a secret, of which no code was shown yet. */
  isBegun: z.boolean(),
  passkeys: z.int().min(0),
  hasPasskeys: z.boolean(),
  recoveryCodesLeft: z.int().min(0),
})
const shownOnce = {
  picture: { label: 'Picture to scan', as: 'picture' },
  secret: { label: 'Secret' },
  uri: { label: 'Address for apps' },
} as const

/** In the settings of each person: what one can do next, and secrets that are shown once. */
const dashboard: Dashboard = {
  settings: {
    title: 'Second factor',
    lead: 'An authenticator app or a passkey, asked for when you sign in.',
    from: 'GET /second-factor',
    rows: {
      isOn: {
        label: 'Second factor',
        words: { true: { label: 'On', tone: 'good' }, false: { label: 'Off' } },
      },
      passkeys: { label: 'Passkeys' },
      recoveryCodesLeft: { label: 'Recovery codes left' },
    },
    form: {
      call: 'POST /second-factor/confirm',
      fields: { code: text({ label: 'Code that the app shows', max: 100 }) },
      submit: 'Switch on',
      show: { recoveryCodes: { label: 'Recovery codes' } },
      when: { isBegun: true },
    },
    buttons: [
      {
        label: 'Set up an app',
        call: 'POST /second-factor',
        show: shownOnce,
        when: { hasApp: false },
      },
      {
        label: 'Add a passkey',
        call: 'POST /second-factor/passkeys',
        passkey: 'POST /second-factor/passkeys/confirm',
        show: { recoveryCodes: { label: 'Recovery codes' } },
      },
      {
        label: 'Remove all passkeys',
        call: 'DELETE /second-factor/passkeys',
        confirm: 'Without an app, the password alone will be enough to sign in.',
        when: { hasPasskeys: true },
      },
      {
        label: 'New recovery codes',
        call: 'POST /second-factor/recovery-codes',
        confirm: 'Those that you have will no longer work.',
        show: { recoveryCodes: { label: 'Recovery codes' } },
        when: { isOn: true },
      },
      {
        label: 'Switch off',
        call: 'DELETE /second-factor',
        confirm: 'The password alone will be enough to sign in.',
        when: { isOn: true },
      },
    ],
  },
}

export default definePlugin<Tables>()({
  feature: 'organization.secondFactor',
  label: 'Second factor',
  about: 'Ask for a code of an app or a passkey when somebody signs in who wants it, or must.',
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
  },
  unstable: {
    dashboard,
    examine: examinePasskeys,
    steps: {
      passkey: {
        label: 'Passkey',
        method: 'hwk',
        oneOf: 'secondFactor',
        ask: askPasskey,
        async check({ accountId }, answer, context) {
          const { acceptPasskey } = await passkeysOfBrowsers()
          return (await acceptPasskey(accountId, answer, context)) ? undefined : wrongPasskey
        },
      },
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
      async handle({ caller }, context: Own) {
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
            ...{ passkeys, hasPasskeys: passkeys > 0 },
            recoveryCodesLeft: isOn ? recoveryCodesLeft(factor) : 0,
          },
        }
      },
    }),
    'POST /second-factor': endpoint({
      summary: 'Get a secret for an authenticator app',
      group,
      scope: '*',
      unstable,
      answer: z.strictObject({
        data: z.strictObject({ secret: z.string(), uri: z.string(), picture: z.string() }),
      }),
      inTransaction: true,
      async handle({ caller: { accountId } }, context: Own) {
        if (await signsInByApp(accountId, context)) return isOnAlready
        return { data: await newSecret(accountId, context) }
      },
    }),
    'POST /second-factor/confirm': endpoint({
      summary: 'Show a code of the app, and sign in with one from now on',
      group,
      scope: '*',
      unstable,
      rateLimit: { max: 10, seconds: 60 },
      body: z.strictObject({ code: z.string().max(100) }),
      answer: recoveryCodes,
      inTransaction: true,
      handle: ({ caller, body }, context: Own) => turnOn(caller.accountId, body.code, context),
    }),
    'POST /second-factor/recovery-codes': endpoint({
      summary: 'Get new recovery codes, in place of those that you have',
      group,
      scope: '*',
      unstable,
      answer: recoveryCodes,
      inTransaction: true,
      async handle({ caller: { accountId } }, context: Own) {
        if (!(await context.unstable.signIn.isRequired(accountId))) return isOff
        return { data: { recoveryCodes: await newRecoveryCodes(accountId, context) } }
      },
    }),
    'POST /second-factor/passkeys': endpoint({
      summary: 'Begin to make a passkey',
      group,
      scope: '*',
      unstable,
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
        const { optionsToMake } = await passkeysOfBrowsers()
        return { data: { options: JSON.stringify(await optionsToMake(accountId, context)) } }
      },
    }),
    'POST /second-factor/passkeys/confirm': endpoint({
      summary: 'Keep the passkey that the browser made, and sign in with it from now on',
      group,
      scope: '*',
      unstable,
      rateLimit: { max: 10, seconds: 60 },
      body: z.strictObject({
        passkey: z
          .string()
          .max(100_000)
          .meta({ description: 'What `navigator.credentials.create` returned, as JSON.' }),
      }),
      answer: recoveryCodes,
      handle: ({ caller, body }, context: Own) =>
        addPasskey(caller.accountId, body.passkey, context),
    }),
    'DELETE /second-factor/passkeys': endpoint({
      summary: 'Remove all passkeys; without an app, sign in with the password alone again',
      group,
      scope: '*',
      unstable,
      status: 204,
      inTransaction: true,
      async handle({ caller: { accountId } }, context: Own) {
        if (await signsInByApp(accountId, context)) await forgetPasskeys(accountId, context)
        else await turnOff(accountId, context)
      },
    }),
    'DELETE /second-factor': endpoint({
      summary: 'Sign in with the password alone again',
      group,
      scope: '*',
      unstable,
      status: 204,
      inTransaction: true,
      handle: ({ caller: { accountId } }, context: Own) => turnOff(accountId, context),
    }),
  },
})

async function signsInByApp(accountId: number, context: Own): Promise<boolean> {
  if (!(await context.unstable.signIn.isRequired(accountId))) return false
  return hasApp(await find(accountId, context))
}

async function turnOn(accountId: number, code: string, context: Own) {
  if (await signsInByApp(accountId, context)) return isOnAlready
  const factor = await find(accountId, context)
  if (!factor?.secret) return noSecretYet
  const refused = await checkAppCode(factor, code, context)
  if (refused) return refused
  await begin(accountId, context)
  return { data: { recoveryCodes: await newRecoveryCodes(accountId, context) } }
}

async function addPasskey(accountId: number, passkey: string, context: Own) {
  const { keepPasskey } = await passkeysOfBrowsers()
  if (!(await keepPasskey(accountId, passkey, context))) return noPasskey
  const { signIn } = context.unstable
  if (await signIn.isRequired(accountId)) return { data: { recoveryCodes: [] } }
  await context.db.deleteFrom(table).where('account_id', '=', accountId).execute()
  const recoveryCodes = await newRecoveryCodes(accountId, context)
  await signIn.requireStep(accountId, true)
  return { data: { recoveryCodes } }
}

/** From now on the account signs in with its app. Passkeys from before a second factor that was reset count no more. */
async function begin(accountId: number, context: Own): Promise<void> {
  const { signIn } = context.unstable
  if (await signIn.isRequired(accountId)) return
  await forgetPasskeys(accountId, context)
  await signIn.requireStep(accountId, true)
}

async function turnOff(accountId: number, context: Own): Promise<undefined> {
  await forgetPasskeys(accountId, context)
  await context.db.deleteFrom(table).where('account_id', '=', accountId).execute()
  await context.unstable.signIn.requireStep(accountId, false)
  return undefined
}

async function forgetPasskeys(accountId: number, { db }: Own): Promise<void> {
  await db.deleteFrom(passkeyTable).where('account_id', '=', accountId).execute()
}

async function askPasskey({ accountId }: SigningIn, context: Own): Promise<Question | undefined> {
  if (!(await context.unstable.signIn.isRequired(accountId))) return undefined
  const all = await passkeysOf(accountId, context)
  const known = all.filter(it => worksHere(it, context))
  if (known.length === 0) return undefined
  const { optionsToUse } = await passkeysOfBrowsers()
  const options = JSON.stringify(await optionsToUse(accountId, known, context))
  return { text: usePasskeyNow, kind: 'passkey', data: { options } }
}

async function ask({ accountId }: SigningIn, context: Own): Promise<Question> {
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
  context: Own,
): Promise<Refusal | undefined> {
  const factor = await find(accountId, context)
  if (!factor) return noSecretYet
  const isOn = await context.unstable.signIn.isRequired(accountId)
  const refused = await checkCode(factor, answer, !isOn || hasApp(factor), context)
  if (!refused) await begin(accountId, context)
  return refused
}
