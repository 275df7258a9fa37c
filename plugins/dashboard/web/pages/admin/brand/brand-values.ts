import type { Brand, BrandChange } from '../../../api/admin/brand.ts'

/** A brand as the form holds it. Empty means not set. */
export interface BrandValues {
  readonly name: string
  readonly color: string
  readonly logo: string | null
}

export function brandValues({ name, color, logo }: Brand): BrandValues {
  return { name: name ?? '', color: color ?? '', logo }
}

/** The brand in the form's values. */
export function brandIn({ name, color, logo }: BrandValues): Brand {
  return { name: name.trim() || null, color: color.trim() || null, logo }
}

/** The parts that differ. */
export function brandChange(before: Brand, after: Brand): BrandChange {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.color !== before.color && { color: after.color }),
    ...(after.logo !== before.logo && { logo: after.logo }),
  }
}
