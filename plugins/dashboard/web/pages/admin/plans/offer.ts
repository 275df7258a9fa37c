import type { Plan, PlanChange } from '../../../api/admin/plans.ts'
import { locale } from '../../../language/language.ts'
import { adminTexts } from '../../../texts/admin.ts'

type Pricing = NonNullable<Plan['recommendedPricing']>

/** The billing periods of a price. */
export const terms = ['monthly', 'yearly'] as const satisfies readonly (keyof Pricing)[]

/** A price as the form holds it. Empty means not filled in. */
export interface PriceValues {
  readonly amount: number | ''
  readonly currency: string
}

export type PricingValues = Readonly<Record<keyof Pricing, PriceValues>>

/** What is said of a plan to who may choose it, as a form has it. */
export interface OfferValues {
  readonly recommended: boolean
  readonly recommended_pricing: PricingValues | null
}

/** The initial values if the plan has no price. */
export const noPricing: PricingValues = {
  monthly: { amount: '', currency: '' },
  yearly: { amount: '', currency: '' },
}

export function offerValues({ recommended, recommendedPricing }: Plan): OfferValues {
  return { recommended: recommended ?? false, recommended_pricing: recommendedPricing ?? null }
}

/** The parts that differ. Amounts are never empty here: the form reports them as missing first. */
export function offerChange(before: OfferValues, after: OfferValues): PlanChange {
  const { recommended, recommended_pricing: pricing } = after
  const isPriced = JSON.stringify(pricing) !== JSON.stringify(before.recommended_pricing)
  return {
    ...(recommended !== before.recommended && { recommended }),
    ...(isPriced && { recommended_pricing: pricing as Pricing | null }),
  }
}

/** What is wrong with a typed amount. */
export function amountProblem(value: number | string, values: OfferValues): string | null {
  if (values.recommended_pricing === null) return null
  const isAmount = typeof value === 'number' && Number.isFinite(value) && value >= 0
  return isAmount ? null : adminTexts.plans.notAmount
}

/** `€9 a month, €90 a year` */
export function formatPricing({ monthly, yearly }: Pricing): string {
  return adminTexts.plans.price(formatPrice(monthly), formatPrice(yearly))
}

function formatPrice({ amount, currency }: Pricing['monthly']): string {
  const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const
  return new Intl.NumberFormat(locale, options).format(amount)
}
