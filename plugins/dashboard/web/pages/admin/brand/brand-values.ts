import type { Brand, BrandChange } from '../../../api/admin/brand.ts'

/** A brand as a form has it; empty: not set. */
export interface BrandValues {
  readonly name: string
  readonly color: string
  readonly logo: string | null
}

export function brandValues({ name, color, logo }: Brand): BrandValues {
  return { name: name ?? '', color: color ?? '', logo }
}

/** What a form says, as a brand. */
export function brandIn({ name, color, logo }: BrandValues): Brand {
  return { name: name.trim() || null, color: color.trim() || null, logo }
}

/** What differs. */
export function brandChange(before: Brand, after: Brand): BrandChange {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.color !== before.color && { color: after.color }),
    ...(after.logo !== before.logo && { logo: after.logo }),
  }
}
