import { type File, file, type MountAsked, type Refusal } from '../../../core/plugin.ts'

/** What answers an address: a file, or what the API refused, which is written as Shlink does. */
export type Said = File | Refusal

export function json(data: unknown, status = 200): File {
  return file('application/json', JSON.stringify(data), 0, status)
}

export const noContent = file('application/json', '', 0, 204)

/** The types of errors of Shlink, with their titles, and what the first versions of its API called them. */
const kinds = {
  'invalid-data': ['Invalid data', 'INVALID_ARGUMENT'],
  'non-unique-slug': ['Invalid custom slug', 'INVALID_SLUG'],
  'short-url-not-found': ['Short URL not found', 'INVALID_SHORTCODE'],
  'domain-not-found': ['Domain not found', 'DOMAIN_NOT_FOUND'],
  'tag-not-found': ['Tag not found', 'TAG_NOT_FOUND'],
  'tag-conflict': ['Tag conflict', 'TAG_CONFLICT'],
  'missing-authentication': ['Invalid authorization', 'INVALID_AUTHORIZATION'],
  'invalid-api-key': ['Invalid API key', 'INVALID_API_KEY'],
  'mercure-not-configured': ['Mercure integration not configured', 'MERCURE_NOT_CONFIGURED'],
  'not-found': ['Not found', 'NOT_FOUND'],
} as const

type Kind = keyof typeof kinds

/** An error of Shlink, with members of its own such as the short code. */
export function problem(
  { path }: Pick<MountAsked, 'path'>,
  status: number,
  kind: Kind,
  detail: string,
  more: Readonly<Record<string, unknown>> = {},
): File {
  const [title, old] = kinds[kind]
  const type = /^v[12]\//.test(path) ? old : `https://shlink.io/api/error/${kind}`
  return written({ ...more, type, title, detail, status })
}

function written(body: { readonly status: number } & Readonly<Record<string, unknown>>): File {
  return file('application/problem+json', JSON.stringify(body), 0, body.status)
}

/** What Shlink calls the fields of links. */
const fieldNames: Readonly<Record<string, string>> = {
  originalUrl: 'longUrl',
  shortCode: 'customSlug',
  startsAt: 'validSince',
  expiresAt: 'validUntil',
  tagIds: 'tags',
  dynamicRouting: 'redirectRules',
}

/** A refusal of Linnet as an error of Shlink. */
export function problemOf({ code, detail, status, field }: Refusal, asked: MountAsked): File {
  if (code === 'unauthenticated') {
    return problem(
      asked,
      401,
      'missing-authentication',
      'Send an API key in the header X-Api-Key.',
      {
        expectedHeaders: ['X-Api-Key'],
      },
    )
  }
  if (status === 401) return problem(asked, 401, 'invalid-api-key', detail)
  if (code === 'short_code_taken') {
    return problem(asked, 400, 'non-unique-slug', detail, { customSlug: slugIn(asked) })
  }
  if (status === 422) {
    const invalidElements = field === undefined ? [] : [shlinkName(field)]
    return problem(asked, 400, 'invalid-data', detail, { invalidElements })
  }
  if (status === 404) return problem(asked, 404, 'not-found', detail)
  return written({
    type: `urn:linnet:problem:${code}`,
    title: code.replaceAll('_', ' '),
    detail,
    status,
  })
}

function slugIn({ json: body }: MountAsked): unknown {
  return typeof body === 'object' && body !== null && 'customSlug' in body ? body.customSlug : null
}

function shlinkName(field: string): string {
  const name = field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const [first = '', rest = ''] = name.split(/(?=[.[])/, 2)
  return `${fieldNames[first] ?? first}${rest}`
}
