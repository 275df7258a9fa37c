import { z } from 'zod'
import { isRefusal } from '../../plugin/outcomes.ts'
import { type Contract, featuresSchema } from '../../settings/contract.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import { forAdmins, type Route, route } from '../api/route/route.ts'

/** The global switches, for admins. */
export function featureRoutes({
  entitlements,
  contract,
}: {
  readonly entitlements: Pick<Entitlements, 'features' | 'updateFeatures' | 'draft'>
  readonly contract: Contract
}): readonly Route[] {
  const answer = z.lazy(() => z.strictObject({ data: featuresSchema(contract) }))
  return [
    route('GET /admin/features', {
      ...forAdmins,
      name: 'features.show',
      summary: 'Show the global switches',
      answer,
      handle: () => ({ body: { data: entitlements.features() } }),
    }),
    route('PATCH /admin/features', {
      ...forAdmins,
      name: 'features.update',
      summary: 'Change the global switches, with immediate effect',
      body: z.lazy(() => featuresSchema(contract).partial()),
      answer,
      tries: true,
      async handle({ body, isDry }) {
        const { updateFeatures } = isDry ? entitlements.draft() : entitlements
        const changed = await updateFeatures(body)
        return isRefusal(changed) ? changed : { body: { data: changed } }
      },
    }),
  ]
}
