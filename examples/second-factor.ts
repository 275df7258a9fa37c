import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  type Caller,
  type Context,
  type Dashboard,
  definePlugin,
  endpoint,
  type Fields,
  type Refusal,
  refuse,
  text,
  z,
} from 'linnet/plugin'

const table = 'custom_second_factor'

interface Tables {
  readonly [table]: Factor
}

interface Factor {
  readonly account_id: number
  /** In base32, as authenticator apps take it. */
  readonly secret: string
  /** The latest half minute whose code was used. */
  readonly used_step: number
  /** JSON list of the digests of recovery codes that were not used. */
  readonly recovery: string
}

type Own = Context<Fields, unknown, Tables>

const stepSeconds = 30

/** A browser that was left open must not change it, so it is proven again after ten minutes. */
const unstable = { fresh: 600 }
const group = 'Second factor'
const code = z.strictObject({ code: z.string().max(100) })
const status = z.strictObject({
  isOn: z.boolean(),
  /** Whether there is a secret, of which no code was shown yet. */
  isBegun: z.boolean(),
  recoveryCodesLeft: z.int(),
})

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
      {
        label: 'Get a secret',
        call: 'POST /second-factor',
        show: { secret: { label: 'Secret' }, uri: { label: 'Address for apps' } },
        when: { isOn: false },
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
  feature: 'custom.secondFactor',
  about: 'Ask accounts that want it for a code of an authenticator app when they sign in.',
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
        ask: () => question,
        check: ({ accountId }, answer, context) => check(accountId, answer, context),
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
        const recoveryCodesLeft = isOn && factor ? digestsOf(factor).length : 0
        return {
          data: { isOn, isBegun: !isOn && Number(factor?.used_step) === 0, recoveryCodesLeft },
        }
      },
    }),
    'POST /second-factor': endpoint({
      summary: 'Get a secret for an authenticator app',
      group,
      scope: '*',
      unstable,
      answer: z.strictObject({ data: z.strictObject({ secret: z.string(), uri: z.string() }) }),
      inTransaction: true,
      handle: ({ caller }, context: Own) => prepare(caller, context),
    }),
    'POST /second-factor/confirm': endpoint({
      summary: 'Show a code of the app, and sign in with one from now on',
      group,
      scope: '*',
      unstable,
      rateLimit: { max: 10, seconds: 60 },
      body: code,
      answer: z.strictObject({ data: z.strictObject({ recoveryCodes: z.array(z.string()) }) }),
      inTransaction: true,
      handle: ({ caller, body }, context: Own) => turnOn(caller, body.code, context),
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

const question = {
  kind: 'code',
  text: {
    en: 'Enter the code that your authenticator app shows, or a recovery code.',
    de: 'Gib den Code ein, den deine Authenticator-App zeigt, oder einen Wiederherstellungscode.',
    es: 'Introduce el código de tu aplicación de autenticación o un código de recuperación.',
    fr: 'Saisissez le code de votre application d’authentification, ou un code de secours.',
  },
} as const

function find(accountId: number, { db }: Pick<Own, 'db'>): Promise<Factor | undefined> {
  return db.selectFrom(table).selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** A new secret, which does nothing until a code of it was shown. */
async function prepare({ accountId }: Caller, context: Own) {
  if (await context.unstable.signIn.isRequired(accountId)) return isOnAlready
  const factor = { secret: base32(randomBytes(20)), used_step: 0, recovery: '[]' }
  await context.db
    .insertInto(table)
    .values({ account_id: accountId, ...factor })
    .onConflict(it => it.column('account_id').doUpdateSet(factor))
    .execute()
  const uri = `otpauth://totp/Linnet?secret=${factor.secret}&issuer=Linnet`
  return { data: { secret: factor.secret, uri } }
}

async function turnOn({ accountId }: Caller, code: string, context: Own) {
  if (await context.unstable.signIn.isRequired(accountId)) return isOnAlready
  const before = await find(accountId, context)
  if (!before) return refuse('not_found', 'Get a secret first.', 404)
  const refused = await checkAppCode(before, code, context)
  if (refused) return refused
  const recoveryCodes = Array.from({ length: 10 }, newRecoveryCode)
  await context.db
    .updateTable(table)
    .set({ recovery: JSON.stringify(recoveryCodes.map(digestOf)) })
    .where('account_id', '=', accountId)
    .execute()
  await context.unstable.signIn.requireStep(accountId, true)
  return { data: { recoveryCodes } }
}

/** Each code works once, so that nobody who reads it over a shoulder can use it too. */
async function check(
  accountId: number,
  answer: string,
  context: Own,
): Promise<Refusal | undefined> {
  const factor = await find(accountId, context)
  if (!factor) return wrong
  const typed = answer.replace(/[\s-]/g, '').toUpperCase()
  return /^\d{6}$/.test(typed)
    ? checkAppCode(factor, typed, context)
    : spendRecoveryCode(factor, digestOf(typed), context)
}

/** Takes codes of the half minute before and after, too, because clocks differ: RFC 6238, section 5.2. */
async function checkAppCode(factor: Factor, typed: string, { db, now }: Own) {
  const present = Math.floor(now().getTime() / 1_000 / stepSeconds)
  const steps = [present, present - 1, present + 1]
  const step = steps.find(it => codeAt(fromBase32(factor.secret), it) === typed.trim())
  if (step === undefined) return wrong
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ used_step: step })
    .where('account_id', '=', factor.account_id)
    .where('used_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? undefined : usedBefore
}

async function spendRecoveryCode(factor: Factor, digest: string, { db }: Own) {
  const left = digestsOf(factor)
  if (!left.includes(digest)) return wrong
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ recovery: JSON.stringify(left.filter(it => it !== digest)) })
    .where('account_id', '=', factor.account_id)
    .where('recovery', '=', factor.recovery)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? undefined : usedBefore
}

/** The six digits of a step of half a minute: RFC 4226, section 5.3, as RFC 6238 uses it. */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac[19] ?? 0) & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, section 6, of whole groups of five bytes. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, five => letters.charAt(Number.parseInt(five, 2)))
}

export function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, it => letters.indexOf(it).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2))
}

/** 80 random bits, which nobody finds by trial, even with the digest. */
function newRecoveryCode(): string {
  return base32(randomBytes(10)).replace(/.{4}(?=.)/g, '$&-')
}

function digestOf(recoveryCode: string): string {
  return createHash('sha256').update(recoveryCode.replaceAll('-', '')).digest('hex')
}

function digestsOf({ recovery }: Factor): readonly string[] {
  return JSON.parse(recovery)
}

const wrong = refuse('wrong_code', {
  en: 'This is not the code that the app shows now.',
  de: 'Das ist nicht der Code, den die App jetzt zeigt.',
  es: 'No es el código que muestra ahora la aplicación.',
  fr: 'Ce n’est pas le code que l’application affiche maintenant.',
})
const usedBefore = refuse('wrong_code', {
  en: 'This code was used already. Wait for the next one.',
  de: 'Dieser Code wurde schon benutzt. Warte auf den nächsten.',
  es: 'Este código ya se usó. Espera el siguiente.',
  fr: 'Ce code a déjà servi. Attendez le suivant.',
})
const isOnAlready = refuse('already_on', 'You sign in with a code already.', 409)
