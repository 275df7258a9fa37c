import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** An identity at a provider that signs the account in. */
export type Identity =
  operations['identities.list']['responses'][200]['content']['application/json']['data'][number]

/** What signs the account in besides its password, the one used last first. */
export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/identities'))).data,
})

/** Sign in by an identity no longer. Throws a `Problem`, `last_way_in`, for the only way in. */
export async function removeIdentity(id: string): Promise<void> {
  await api.DELETE('/api/v1/identities/{id}', { params: { path: { id } } })
}
