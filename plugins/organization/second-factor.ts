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
  newRecoveryCodes,
  newSecret,
  type Own,
  recoveryCodesLeft,
  type Tables,
  table,
} from './second-factor/app-codes.ts'
import { enterCode, isOff, isOnAlready, noSecretYet, setUp } from './second-factor/texts.ts'

const settings = {
  wantedOf: choice(['nobody', 'admins', 'everybody'], {
    label: 'Who must have a second factor',
    hint: 'Who has none sets it up at the next sign-in with a password. Providers ask in their own way.',
    labels: { nobody: 'Nobody', admins: 'Admins', everybody: 'Everybody' },
    default: 'nobody',
  }),
}

/** A browser that was left open must not change it, so it is proven again after ten minutes. */
const unstable = { fresh: 600 }
const group = 'Second factor'
const recoveryCodes = z.strictObject({
  data: z.strictObject({ recoveryCodes: z.array(z.string()) }),
})
const status = z.strictObject({
  isOn: z.boolean(),
  /** Whether there is a secret, of which no code was shown yet. */
  isBegun: z.boolean(),
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
    lead: 'A code of an authenticator app, asked for when you sign in.',
    from: 'GET /second-factor',
    rows: {
      isOn: {
        label: 'Second factor',
        words: { true: { label: 'On', tone: 'good' }, false: { label: 'Off' } },
      },
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
      { label: 'Set it up', call: 'POST /second-factor', show: shownOnce, when: { isOn: false } },
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
  about: 'Ask for a code of an authenticator app when somebody signs in who wants it, or must.',
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
  },
  unstable: {
    dashboard,
    steps: {
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
        const isOn = await context.unstable.signIn.isRequired(caller.accountId)
        const factor = await find(caller.accountId, context)
        return {
          data: {
            ...{ isOn, isBegun: !isOn && Number(factor?.used_step) === 0 },
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
        if (await context.unstable.signIn.isRequired(accountId)) return isOnAlready
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
    'DELETE /second-factor': endpoint({
      summary: 'Sign in without a code again',
      group,
      scope: '*',
      unstable,
      status: 204,
      inTransaction: true,
      async handle({ caller: { accountId } }, { db, unstable }: Own) {
        await db.deleteFrom(table).where('account_id', '=', accountId).execute()
        await unstable.signIn.requireStep(accountId, false)
      },
    }),
  },
})

async function turnOn(accountId: number, code: string, context: Own) {
  if (await context.unstable.signIn.isRequired(accountId)) return isOnAlready
  const factor = await find(accountId, context)
  if (!factor) return noSecretYet
  const refused = await checkAppCode(factor, code, context)
  if (refused) return refused
  const recoveryCodes = await newRecoveryCodes(accountId, context)
  await context.unstable.signIn.requireStep(accountId, true)
  return { data: { recoveryCodes } }
}

async function ask({ accountId }: SigningIn, context: Own): Promise<Question> {
  if (await context.unstable.signIn.isRequired(accountId)) return { text: enterCode, kind: 'code' }
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
  const refused = await checkCode(factor, answer, context)
  if (!refused) await context.unstable.signIn.requireStep(accountId, true)
  return refused
}
