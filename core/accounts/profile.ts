import { z } from 'zod'
import { publicId } from '../storage/public-id.ts'
import type { Account } from './account.ts'
import type { Entitlements } from './entitlements.ts'
import { featuresSchema } from './features.ts'
import { planShape } from './plan-schema.ts'
import type { Usage } from './usage.ts'

const timestamp = z.iso.datetime().nullable()

/** What everybody who sees an account sees of it. */
export const accountSchema = z.strictObject({
  id: z.string().meta({ examples: ['acc_Gv8J65Sx'] }),
  email: z.string(),
  fullName: z.string().nullable(),
  initials: z.string(),
  avatarUrl: z.string().nullable(),
  isAdmin: z.boolean(),
  hasPassword: z.boolean(),
  emailVerifiedAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
})

/** The profile of sections 2.1 to 2.3 of the contract. */
export const profileSchema = accountSchema.extend({
  plan: z.strictObject({
    slug: z.string(),
    ...planShape,
    usage: z.strictObject({
      linksCreatedThisMonth: z.number(),
      visitsTrackedThisMonth: z.number(),
      tagsCount: z.number(),
      campaignsCount: z.number(),
    }),
  }),
  features: featuresSchema,
})

/** What section 2.4 shows of a changed profile. */
export const summarySchema = accountSchema.pick({
  id: true,
  email: true,
  fullName: true,
  initials: true,
})

export type Profile = z.input<typeof profileSchema>

/** How many an account has of what its plan limits the number of. */
export interface Counts {
  readonly tags: number
  readonly campaigns: number
}

/** An account as it sees itself. */
export function profileOf(
  account: Account,
  entitlements: Pick<Entitlements, 'effectivePlan' | 'features'>,
  usage: Usage,
  counts: Counts,
): Profile {
  return {
    ...showAccount(account),
    plan: {
      slug: account.plan,
      ...entitlements.effectivePlan(account.plan),
      usage: { ...usage, tagsCount: counts.tags, campaignsCount: counts.campaigns },
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

/** One or two letters for where there is no picture: of the name, else of the address. */
export function initialsOf({ fullName, email }: Pick<Account, 'fullName' | 'email'>): string {
  const words = fullName?.split(/\s+/) ?? email.replace(/@.*/, '').split(/[._+-]+/)
  const letters = words.flatMap(word => word.match(/[\p{L}\p{N}]/u) ?? [])
  const [first = '?', ...others] = letters
  return (first + (others.at(-1) ?? '')).toUpperCase()
}
