import { z } from 'zod'
import type { Entitlements } from '../../accounts/entitlements.ts'
import { featuresPatch, featuresSchema } from '../../accounts/features.ts'
import { isRefusal } from '../../outcomes.ts'
import { type Route, route } from '../route.ts'

const answer = z.strictObject({ data: featuresSchema })

/** The global switches, for admins. */
export function featureRoutes(
  entitlements: Pick<Entitlements, 'features' | 'updateFeatures'>,
): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/features',
      name: 'features.show',
      group: 'Admin',
      summary: 'Show what is on for everybody',
      scope: 'admin',
      answer,
      status: 200,
      handle: () => ({ body: { data: entitlements.features() } }),
    }),
    route({
      method: 'PATCH',
      path: '/admin/features',
      name: 'features.update',
      group: 'Admin',
      summary: 'Switch on or off for everybody, at once',
      scope: 'admin',
      body: featuresPatch,
      answer,
      status: 200,
      async handle({ body }) {
        const changed = await entitlements.updateFeatures(body)
        return isRefusal(changed) ? changed : { body: { data: changed } }
      },
    }),
  ]
}
