import { z } from '../../../core/plugin.ts'

export const group = 'Second factor'

/**
 * What all endpoints share that change the second factor. A browser that was left open must not change it, so who one is is proven
 * again after ten minutes.
 */
export const changes = { group, scope: '*', unstable: { fresh: 600 } } as const

/** Recovery codes, which are shown this once. */
export const recoveryCodes = z.strictObject({
  data: z.strictObject({ recoveryCodes: z.array(z.string()) }),
})
