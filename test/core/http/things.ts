import { z } from 'zod'
import { type Route, route } from '../../../core/http/api/route/route.ts'
import { refuse } from '../../../core/plugin/outcomes.ts'

const thing = z.object({ data: z.object({ id: z.string(), originalUrl: z.url() }) })
const shown = { data: { id: 'thg_1', originalUrl: 'https://example.com/' } }

/** Something of everything that a route can be. */
export const things: readonly Route[] = [
  route('GET /things/:id', {
    name: 'things.show',
    group: 'Things',
    summary: 'One thing.',
    scope: 'things:read',
    answer: thing,
    isVersioned: true,
    handle: ({ params }) =>
      params.id === 'thg_1'
        ? { body: shown, headers: { ETag: '"1"' } }
        : refuse('not_found', 'This does not exist.', 404),
  }),
  route('GET /things/lookup', {
    name: 'things.lookup',
    group: 'Things',
    summary: 'Things by what they are.',
    scope: 'things:read',
    query: z.strictObject({
      shortCode: z.string().min(1),
      perPage: z.coerce.number().int().max(100).default(20),
      tagIds: z.union([z.string(), z.array(z.string())]).optional(),
    }),
    answer: z.object({ data: z.unknown() }),
    handle: ({ query }) => ({ body: { data: query } }),
  }),
  route('POST /things', {
    name: 'things.create',
    group: 'Things',
    summary: 'Make a thing.',
    scope: 'things:write',
    body: z.strictObject({
      originalUrl: z.url({ protocol: /^https?$/ }),
      shortCode: z.string().min(1).max(64).optional(),
      dynamicRouting: z
        .strictObject({
          rules: z.array(
            z.strictObject({
              originalUrl: z.url(),
              conditions: z
                .array(z.strictObject({ type: z.enum(['device']), value: z.string() }))
                .min(1),
            }),
          ),
        })
        .nullable()
        .optional(),
    }),
    answer: z.object({ data: z.unknown() }),
    status: 201,
    handle: ({ body }) =>
      body.shortCode === 'taken'
        ? refuse('short_code_taken', 'This short code is taken.', 409, 'shortCode')
        : { body: { data: body }, headers: { Location: '/api/v1/things/thg_1' } },
  }),
  route('DELETE /things/:id', {
    name: 'things.destroy',
    group: 'Things',
    summary: 'Delete a thing.',
    scope: 'things:write',
    status: 204,
    isVersioned: true,
    handle: () => ({}),
  }),
  route('PATCH /profile', {
    name: 'profile.update',
    group: 'Profile',
    summary: 'Change the profile.',
    scope: '*',
    casing: 'camel',
    body: z.strictObject({ fullName: z.string() }),
    answer: z.object({ data: z.object({ fullName: z.string() }) }),
    handle: ({ body }) => ({ body: { data: body } }),
  }),
  route('GET /admin/things', {
    name: 'admin.things',
    group: 'Admin',
    summary: 'What only admins see.',
    scope: 'admin',
    status: 204,
    handle: () => ({}),
  }),
  route('POST /session', {
    name: 'session.open',
    group: 'Session',
    summary: 'Sign in.',
    scope: 'anyone',
    body: z.strictObject({ email: z.string() }),
    status: 204,
    handle: ({ session }) => ({ headers: { 'X-Session': session ?? 'none' } }),
  }),
]
