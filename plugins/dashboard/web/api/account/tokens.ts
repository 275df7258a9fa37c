import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { longList } from '../client/long-list.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

/** An API token as lists show it: the token itself was shown only once. */
export type Token =
  operations['apiTokens.show']['responses'][200]['content']['application/json']['data']

/** A token that was just created. */
export type MadeToken = Token & { readonly token: string }

export type NewToken = BodyOf<operations['apiTokens.create']>

export const tokensKey = ['tokens'] as const

/** The API tokens of the account, newest first. */
export const tokensQuery = longList<Token>([...tokensKey, 'all'], (query, signal) =>
  dataOf(api.GET('/api/v1/api-tokens', { params: { query }, signal })),
)

/** One token, with the version that a change sends along. */
export function readToken(id: string): Promise<Version<Token>> {
  return readVersion(api.GET('/api/v1/api-tokens/{id}', { params: { path: { id } } }))
}

export async function createToken(body: NewToken): Promise<MadeToken> {
  const { data } = await dataOf(api.POST('/api/v1/api-tokens', { body }))
  // Null only of what is tried.
  return { ...data, token: data.token ?? '' }
}

/** Change a token. Throws a `Problem` of 412 if it changed since `etag` was read. */
export async function updateToken(
  id: string,
  body: BodyOf<operations['apiTokens.update']>,
  etag: string,
): Promise<Token> {
  const params = { path: { id }, header: ifMatch(etag) }
  return (await dataOf(api.PATCH('/api/v1/api-tokens/{id}', { body, params }))).data
}

/** Revoke a token: from now on requests with it are refused. */
export async function revokeToken(id: string): Promise<void> {
  await api.DELETE('/api/v1/api-tokens/{id}', { params: { path: { id } } })
}
