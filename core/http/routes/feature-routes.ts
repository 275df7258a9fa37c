import { z } from 'zod'
import { isRefusal } from '../../plugin/outcomes.ts'
import type { Contract } from '../../settings/contract.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import { featuresSchema } from '../../settings/features.ts'
import { type Route, route } from '../api/route.ts'

/** The global switches, for admins. */
export function featureRoutes({
  entitlements,
  contract,
}: {
  readonly entitlements: Pick<Entitlements, 'features' | 'updateFeatures'>
  readonly contract: Contract
}): readonly Route[] {
  const schema = featuresSchema(contract)
  const answer = z.strictObject({ data: schema })
  return [
    route({
      method: 'GET',
      path: '/admin/features',
      name: 'features.show',
      group: 'Admin',
      summary: 'Show the global switches',
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
      summary: 'Change the global switches, with immediate effect',
      scope: 'admin',
      body: schema.partial(),
      answer,
      status: 200,
      async handle({ body }) {
        const changed = await entitlements.updateFeatures(body)
        return isRefusal(changed) ? changed : { body: { data: changed } }
      },
    }),
  ]
}
