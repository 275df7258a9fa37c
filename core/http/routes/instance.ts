import { z } from 'zod'
import { type Route, route } from '../route.ts'

const instanceSchema = z.strictObject({
  version: z.string().describe('Of the running server, as `0.1.0`.'),
})

/** What runs here; for admins, since it tells who is looking for holes which ones to try. */
export function instanceRoutes(instance: z.output<typeof instanceSchema>): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/instance',
      name: 'instance.show',
      group: 'Admin',
      summary: 'Show which version runs',
      scope: 'admin',
      answer: z.strictObject({ data: instanceSchema }),
      status: 200,
      handle: () => ({ body: { data: instance } }),
    }),
  ]
}
