import { z } from 'zod'
import { publicId } from '../lib/public-id.ts'
import { type Contract, type Features, featuresSchema } from '../settings/contract.ts'
import type { Entitlements } from '../settings/entitlements.ts'
import type { AnyPlan } from '../settings/plan.ts'
import { planShape } from '../settings/plan-schema.ts'
import type { Account } from './account.ts'
import type { Usage } from './usage.ts'

const timestamp = z.iso.datetime().nullable()

/** The fields that everybody who may see an account sees. */
export const accountSchema = z.strictObject({
  id: z.string().meta({ examples: ['acc_Gv8J65Sx'] }),
  email: z.string().meta({ examples: ['ada@example.org'] }),
  fullName: z
    .string()
    .nullable()
    .meta({ examples: ['Ada Lovelace'] }),
  initials: z.string().meta({ examples: ['AL'] }),
  avatarUrl: z.string().nullable(),
  isAdmin: z.boolean(),
  hasPassword: z.boolean(),
  emailVerifiedAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
})

/** The profile of sections 2.1 to 2.3 of the contract. */
export function profileSchema(contract: Contract) {
  const { name, extensions: features, ...ofContract } = planShape(contract)
  const usage = Object.fromEntries(contract.usage.map(name => [name, z.int().min(0)]))
  const extensions = z.strictObject({ name, features }).meta({
    description: 'The name of the plan for people, and its features beyond the contract.',
  })
  const plan = {
    slug: z.string().meta({ examples: ['pro'] }),
    ...ofContract,
    usage: z.strictObject(usage),
    extensions,
  }
  return accountSchema
    .extend({
      plan: z.strictObject(plan).meta({ id: 'Plan' }),
      features: featuresSchema(contract),
    })
    .meta({ id: 'Profile' })
}

/** What section 2.4 shows of a changed profile. */
export const summarySchema = accountSchema.pick({
  id: true,
  email: true,
  fullName: true,
  initials: true,
})

export interface Profile extends z.input<typeof accountSchema> {
  readonly plan: {
    readonly slug: string
    readonly usage: Counts
    /** What the contract does not list. */
    readonly extensions: { readonly name: string; readonly features: AnyPlan['extensions'] }
    readonly [group: string]: unknown
  }
  readonly features: Features
}

/** How much an account used, by the names in `usage`. */
export type Counts = Readonly<Record<string, number>>

/** An account as it sees itself. */
export function profileOf(
  account: Account,
  entitlements: Pick<Entitlements, 'effectivePlan' | 'features'>,
  usage: Usage,
  counts: Counts,
): Profile {
  const { name, extensions, ...plan } = entitlements.effectivePlan(account.plan)
  return {
    ...showAccount(account),
    plan: {
      slug: account.plan,
      ...plan,
      usage: { ...usage, ...counts },
      extensions: { name, features: extensions },
    },
    features: entitlements.features(),
  }
}

export function showAccount(account: Account): z.input<typeof accountSchema> {
  return {
    ...summaryOf(account),
    avatarUrl: account.avatarUrl,
    isAdmin: account.isAdmin,
    hasPassword: account.hasPassword,
    emailVerifiedAt: account.emailVerifiedAt?.toISOString() ?? null,
    createdAt: account.createdAt.toISOString(),
    updatedAt: account.updatedAt.toISOString(),
  }
}

export function summaryOf(account: Account): z.input<typeof summarySchema> {
  return {
    id: publicId('acc', account.id),
    email: account.email,
    fullName: account.fullName,
    initials: initialsOf(account),
  }
}

/** One or two letters to show where there is no picture: of the name, or else of the address. */
export function initialsOf({ fullName, email }: Pick<Account, 'fullName' | 'email'>): string {
  const words = fullName?.split(/\s+/) ?? email.replace(/@.*/, '').split(/[._+-]+/)
  const letters = words.flatMap(word => word.match(/[\p{L}\p{N}]/u) ?? [])
  const [first = '?', ...others] = letters
  return (first + (others.at(-1) ?? '')).toUpperCase()
}
