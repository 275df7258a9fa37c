import { type KnownAccount, z } from '../../../core/plugin.ts'
import { isKind, type KindName, kindNames, kinds } from './kinds.ts'
import { isTimeZone } from './local-time.ts'
import { type Language, languageNames } from './settings.ts'
import { type ChoicesRow, type OwnContext, choices as table } from './tables.ts'

/** What an account has chosen, with what is usual in place of what it has not. */
export interface Choices {
  readonly kinds: Readonly<Record<KindName, boolean>>
  readonly language: Language
  readonly timeZone: string
  /** Why the mail server does not take the address; undefined while it does. */
  readonly refused: string | undefined
}

/** The choices of these accounts, by row id. */
export async function choicesOf(
  accounts: readonly Pick<KnownAccount, 'accountId' | 'email'>[],
  { db, settings }: Pick<OwnContext, 'db' | 'settings'>,
): Promise<ReadonlyMap<number, Choices>> {
  const ids = accounts.map(({ accountId }) => accountId)
  const rows = await db.selectFrom(table).selectAll().where('account_id', 'in', ids).execute()
  const byId = new Map(rows.map(row => [Number(row.account_id), row]))
  return new Map(
    accounts.map(account => [
      account.accountId,
      read(byId.get(account.accountId), account.email, settings),
    ]),
  )
}

function read(
  row: ChoicesRow | undefined,
  email: string,
  { language, timeZone }: OwnContext['settings'],
): Choices {
  const chosen: Readonly<Record<string, unknown>> = row ? JSON.parse(row.kinds) : {}
  const isOn = (name: KindName) => (chosen[name] ?? kinds[name].isOn) === true
  return {
    kinds: Object.fromEntries(kindNames.map(name => [name, isOn(name)])) as Choices['kinds'],
    language: languageNames.find(it => it === row?.language) ?? language,
    timeZone: row?.time_zone ?? timeZone,
    // Another address may be taken.
    refused: row?.refused_address === email ? (row.refused_because ?? '') : undefined,
  }
}

const toggles = Object.fromEntries(kindNames.map(name => [name, z.boolean()])) as Record<
  KindName,
  z.ZodBoolean
>

const language = z
  .enum(languageNames)
  .nullable()
  .meta({ description: 'Null: that of the instance.' })
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'This time zone does not exist. Use an IANA name, such as Europe/Berlin.')
  .nullable()
  .meta({ description: 'IANA name; null: that of the instance.', examples: ['Europe/Berlin'] })

/** What the API shows of the choices of an account. */
export const shownChoices = z
  .strictObject({
    email: z.string(),
    isMailOn: z.boolean().meta({ description: 'Whether a plugin sends mail.' }),
    refused: z.string().nullable().meta({
      description: 'Why the mail server does not take the address; null while it does.',
    }),
    ...toggles,
    language,
    timeZone,
  })
  .meta({ id: 'NoticeSettings' })

export const changedChoices = z
  .strictObject({ ...toggles, language, timeZone })
  .partial()
  .meta({ id: 'NoticeSettingsChange' })

/** Whether an account is told of this kind: it wants to, its plan includes notices, it is not suspended, and its address is taken. */
export function isAllowed(
  { plan, isSuspended }: Pick<KnownAccount, 'plan' | 'isSuspended'>,
  kind: KindName,
  choices: Choices,
  { unstable }: Pick<OwnContext, 'unstable'>,
): boolean {
  const isEnough = unstable.plans().some(it => it.slug === plan && it.isEnough)
  return isEnough && !isSuspended && choices.kinds[kind] && choices.refused === undefined
}

export async function showChoices(accountId: number, context: OwnContext) {
  const { db, unstable } = context
  const [account] = await unstable.accounts.find([accountId])
  if (!account) return undefined
  const choices = (await choicesOf([account], context)).get(accountId)
  const row = await db
    .selectFrom(table)
    .select(['language', 'time_zone'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return {
    email: account.email,
    isMailOn: unstable.mail.canSend(),
    refused: choices?.refused ?? null,
    ...(choices?.kinds as Choices['kinds']),
    language: languageNames.find(it => it === row?.language) ?? null,
    timeZone: row?.time_zone ?? null,
  }
}

export async function changeChoices(
  accountId: number,
  { language, timeZone, ...given }: z.output<typeof changedChoices>,
  db: OwnContext['db'],
): Promise<void> {
  const row = await db
    .selectFrom(table)
    .select('kinds')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const before: Readonly<Record<string, unknown>> = row ? JSON.parse(row.kinds) : {}
  const after = Object.entries({ ...before, ...given }).filter(([name]) => isKind(name))
  const change = {
    kinds: JSON.stringify(Object.fromEntries(after)),
    ...(language !== undefined && { language }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
  }
  await write(accountId, change, db)
}

/** Notes that the mail server does not take the address of an account, or takes it again. */
export async function noteRefused(
  accountId: number,
  refused: { readonly address: string; readonly because: string } | undefined,
  db: OwnContext['db'],
): Promise<void> {
  const change = {
    refused_address: refused?.address ?? null,
    refused_because: refused?.because ?? null,
  }
  await write(accountId, change, db)
}

async function write(
  accountId: number,
  change: Partial<Omit<ChoicesRow, 'account_id'>>,
  db: OwnContext['db'],
): Promise<void> {
  await db
    .insertInto(table)
    .values({ account_id: accountId, kinds: '{}', ...change } as ChoicesRow)
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(change))
    .execute()
}
