import { z } from 'zod'
import { type Finding, statuses } from '../../doctor/finding.ts'
import { type Route, route } from '../api/route.ts'

const findingSchema = z.strictObject({
  name: z.string(),
  status: z.enum(statuses),
  says: z.string(),
  remedy: z.string().nullable(),
})

/** All that was looked at. */
export const findingsSchema = z.strictObject({ data: z.array(findingSchema) })

/** What could be wrong around the program, and what to do; for admins. */
export function doctorRoutes(deps: { examine(): Promise<readonly Finding[]> }): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/doctor',
      name: 'doctor.show',
      group: 'Admin',
      summary: 'Check the disk, backups, clock, proxies and location data',
      scope: 'admin',
      answer: findingsSchema,
      status: 200,
      handle: async () => ({ body: { data: (await deps.examine()).map(it => ({ ...it })) } }),
    }),
  ]
}
