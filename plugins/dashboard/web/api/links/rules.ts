import { api, type BodyOf, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** An imagined visit to a link. */
export type ImaginedVisit = BodyOf<operations['links.simulate']>

/** Which rule matches, and how each rule judged the visit. */
export type Simulation =
  operations['links.simulate']['responses'][200]['content']['application/json']['data']

/** Simulate a visit; nothing is counted. */
export async function simulate(id: string, body: ImaginedVisit): Promise<Simulation> {
  const params = { path: { id } }
  return (await dataOf(api.POST('/api/v1/links/{id}/simulate', { body, params }))).data
}
