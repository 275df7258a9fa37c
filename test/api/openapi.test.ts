import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Harness } from '../harness.ts'
import { toCamel, toSnake } from '../inside.ts'
import {
  bodyOf,
  type Operation,
  operationsOf,
  type Placed,
  readDocument,
  type Schema,
} from './document.ts'
import { bootAll } from './whole-instance.ts'

type JSONSchema = z.core.JSONSchema.JSONSchema

let linnet: Harness
let operations: readonly Placed[]

beforeAll(async () => {
  linnet = await bootAll()
  operations = operationsOf(await readDocument(linnet))
})
afterAll(() => linnet.stop())

describe('the description of the whole API', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { body } = await linnet.api('GET', '/openapi.json')
    const validator = new Validator()
    expect(await validator.validate(body)).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('lists every route and nothing else, with the scope that each needs', () => {
    const served = linnet.app.routes.map(({ method, path, name, scope }) => {
      const pattern = path.replace(/:(\w+)/g, '{$1}')
      return `${method} /api/v1${pattern} ${name} ${scope}`
    })
    const described = operations.map(
      ({ method, path, operation: { operationId, 'x-required-scope': scope = 'anyone' } }) =>
        `${method} ${path} ${operationId} ${scope}`,
    )
    expect([...described].sort()).toEqual([...served].sort())
  })

  it('lists what plugins add', () => {
    const create = operations.find(({ operation }) => operation.operationId === 'links.create')
    expect(create && Object.keys(bodyOf(create.operation)?.properties ?? {})).toEqual(
      expect.arrayContaining(['original_url', 'short_code', 'password']),
    )
    expect(operations.map(({ path }) => path)).toContain('/api/v1/api-tokens/{id}')
  })

  it('lists the scopes, the dimensions and what an address may be', () => {
    const found = (id: string) => {
      const it = operations.find(({ operation }) => operation.operationId === id)
      if (!it) throw new Error(`There is no ${id}.`)
      return it.operation
    }
    const { properties = {} } = bodyOf(found('apiTokens.create')) ?? {}
    const scopes = ['*', 'links:read', 'tags:write', 'admin']
    expect(properties.scopes?.items?.enum).toEqual(expect.arrayContaining(scopes))
    expect(bodyOf(found('links.create'))?.properties?.original_url).toMatchObject({
      format: 'iri',
      maxLength: 8_192,
    })
    expect(bodyOf(found('links.bulkUpdate'))?.properties?.ids).toMatchObject({ uniqueItems: true })
    const { parameters } = found('analytics.show')
    const dimensions = parameters.find(({ name }) => name === 'dimensions')?.schema
    const { pattern = '' } = dimensions?.items ?? {}
    expect('visitsByCountry').toMatch(new RegExp(pattern))
    expect('visitsByMoon').not.toMatch(new RegExp(pattern))
  })

  it('says what each parameter means, and which lists take several values', () => {
    const parameters = operations.flatMap(({ operation }) =>
      operation.parameters.map(it => ({ ...it, of: operation.operationId })),
    )
    const unsaid = parameters.filter(({ description }) => !description)
    expect(unsaid.map(({ of, name }) => `${of} ${name}`)).toEqual([])
    const ofName = (wanted: string) => parameters.filter(({ name }) => name === wanted)
    expect(ofName('per_page').length).toBeGreaterThan(5)
    for (const { schema } of ofName('per_page')) expect(schema.default).toBe(20)
    for (const list of ['tag_ids', 'dimensions', 'short_codes']) {
      for (const { schema } of ofName(list)) expect(schema.type).toBe('array')
    }
  })

  it('has a type for each thing that clients read', async () => {
    const { components } = await readDocument(linnet)
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        ...['Link', 'Profile', 'Plan', 'Features', 'Tag', 'Campaign', 'ApiToken', 'NewApiToken'],
        ...['Domain', 'SavedSearch', 'Annotation', 'Account', 'AdminPlan', 'Analytics', 'PageMeta'],
      ]),
    )
  })

  it('counts from 0', () => {
    const unbounded = operations.flatMap(({ operation: { operationId, responses } }) =>
      propertiesOf(responses).flatMap(({ name, schema }) =>
        schema.minimum === Number.MIN_SAFE_INTEGER ? [`${operationId} ${name}`] : [],
      ),
    )
    expect(unbounded).toEqual([])
  })

  it('names each operation by its resource and one verb, and each group by its subject', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids).toEqual(
      expect.arrayContaining([
        ...['links.simulate', 'domains.verify', 'admin.blockedLinks.release', 'plans.moveAccounts'],
        ...['qrLook.show', 'qrLogo.show', 'qrSheets.create', 'metrics.show', 'tags.list'],
      ]),
    )
    const groups = new Set(operations.flatMap(({ operation }) => operation.tags))
    expect([...groups].filter(name => /^qr/i.test(name))).toEqual(['QR Codes'])
  })

  it('names all of a query in snake_case', () => {
    const names = operations.flatMap(({ operation }) => queryOf(operation))
    expect(names.length).toBeGreaterThan(50)
    expect(names.filter(name => !/^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(name))).toEqual([])
  })

  it('names each field of a body in both cases, and what it needs as the contract does', () => {
    const bodies = operations.flatMap(({ operation }) => bodyOf(operation) ?? [])
    const objects = bodies.flatMap(objectsIn)
    for (const { properties = {}, required = [] } of objects) {
      const names = Object.keys(properties).filter(name => !required.includes(name))
      for (const name of names) expect(names).toContain(toCamel(name))
      for (const name of names) expect(names).toContain(toSnake(name))
    }
    const needed = bodies.flatMap(({ required = [] }) => required.filter(it => /[A-Z_]/.test(it)))
    expect([...new Set(needed)].sort()).toEqual([
      'fullName',
      'link_ids',
      'new_password',
      'original_url',
    ])
  })

  it('names the headers that tell what is left of a rate limit, where there is one', () => {
    const limited = linnet.app.routes.flatMap(({ name, rateLimit, asksPassword }) =>
      rateLimit || asksPassword ? [name] : [],
    )
    expect(limited.sort()).toEqual([
      'accounts.create',
      'accounts.destroy',
      'accounts.destroyIdentity',
      'accounts.endSession',
      'accounts.handOver',
      'accounts.makeOneTimeLink',
      'accounts.release',
      'accounts.revokeToken',
      'accounts.suspend',
      'accounts.update',
      'admin.export.show',
      'admin.export.static.show',
      'admin.pluginPackages.add',
      'admin.pluginPackages.remove',
      'apiTokens.create',
      'backups.createDownloadLink',
      'backups.destroy',
      'domains.verify',
      'export.show',
      'export.static.show',
      'noticeSettings.test.create',
      'oneTimeLink.accept',
      'oneTimeLink.ask',
      'oneTimeLink.open',
      'oneTimeLink.use',
      'profile.destroy',
      'profile.password',
      'secondFactor.confirm.create',
      'secondFactor.passkeys.confirm.create',
      'session.ask',
      'session.create',
      'session.prove',
      'session.step',
      'session.with',
      'setup.create',
      'testMails.create',
      'webhooks.replay',
      'webhooks.test',
    ])
    for (const { operation } of operations) {
      const { operationId, responses } = operation
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const names = Object.keys(headers)
        const isTold = status === '429' || limited.includes(operationId)
        expect(names.includes('RateLimit'), `${operationId} ${status}`).toBe(isTold)
        expect(names.includes('RateLimit-Policy'), `${operationId} ${status}`).toBe(isTold)
      }
    }
  })

  it('takes what an answer showed, changed, in either case', async () => {
    const update = operations.find(({ operation }) => operation.operationId === 'links.update')
    const schema = z.fromJSONSchema(update ? (bodyOf(update.operation) as JSONSchema) : false)
    const conditions = [
      { type: 'device', operator: 'is', value: 'mobile' },
      { type: 'query_param', operator: 'exists', key: 'ref' },
      {
        type: 'time',
        operator: 'between',
        value: ['2026-12-01T00:00:00Z', '2026-12-24T18:00:00Z'],
      },
    ]
    const rule = { name: 'Germans', weight: null, conditions }
    const rules = [{ ...rule, original_url: 'https://example.com/de' }]
    const link = await linnet.create({ dynamic_routing: { rules } })
    const { body } = await linnet.api('GET', `/links/${link.id}`)
    const { dynamicRouting, expiresAt, title } = body.data
    expect(dynamicRouting.rules[0].originalUrl).toBe('https://example.com/de')
    for (const change of [
      { dynamicRouting, expiresAt, title },
      { dynamic_routing: dynamicRouting, expires_at: expiresAt },
      { dynamicRouting: { rules } },
    ]) {
      expect(schema.safeParse(change).error?.issues).toBeUndefined()
      expect((await linnet.api('PATCH', `/links/${link.id}`, change)).status).toBe(200)
    }
  })

  it('has only patterns that mean the same without flags, which JSON Schema does not have', () => {
    const schemas = linnet.app.routes.flatMap(({ name, body, describedBody, query, answer }) =>
      [body, describedBody, query, answer].flatMap(schema => (schema ? [{ name, schema }] : [])),
    )
    const flagged = schemas.flatMap(({ name, schema }) =>
      patternsIn(schema).flatMap(it => (it.flags === '' ? [] : [`${name} ${it}`])),
    )
    expect([...new Set(flagged)]).toEqual([])
  })

  it('shows defaults and examples that its own schemas take', async () => {
    const shown = withSamples(await readDocument(linnet))
    expect(shown.length).toBeGreaterThan(50)
    const refused = shown.flatMap(({ schema, sample }) =>
      z.fromJSONSchema(schema).safeParse(sample).success ? [] : [{ sample, schema }],
    )
    expect(refused).toEqual([])
  })

  it('shows whole bodies of what most clients do, which its own schemas and the API take', async () => {
    const shown = operations.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)].flatMap((it, index) =>
        Object.values(it?.content ?? {}).flatMap(({ schema, example }) =>
          example === undefined ? [] : [{ operationId, isSent: index === 0, schema, example }],
        ),
      ),
    )
    const refused = shown.flatMap(({ operationId, schema, example }) => {
      const parsed = z.fromJSONSchema(schema as JSONSchema).safeParse(example)
      return parsed.success ? [] : [{ operationId, example, issues: parsed.error.issues }]
    })
    expect(refused).toEqual([])

    const exampleOf = (id: string, isSent: boolean) =>
      shown.find(it => it.operationId === id && it.isSent === isSent)?.example
    const things = ['links', 'tags', 'campaigns', 'api-tokens']
    for (const path of things) {
      const thing = toCamel(path.replace('-', '_'))
      for (const verb of ['list', 'show', 'create', 'update']) {
        expect(exampleOf(`${thing}.${verb}`, false), `${thing}.${verb}`).toBeDefined()
      }
      const made = await linnet.api('POST', `/${path}`, exampleOf(`${thing}.create`, true))
      expect(made.status, thing).toBe(201)
      const change = exampleOf(`${thing}.update`, true)
      const changed = await linnet.api('PATCH', `/${path}/${made.body.data.id}`, change)
      expect([changed.status, change], thing).toEqual([200, expect.anything()])
    }
    const change = exampleOf('profile.update', true)
    const changed = await linnet.api('PATCH', '/profile', change)
    expect([changed.status, change]).toEqual([200, expect.anything()])
    for (const id of ['profile.show', 'profile.update', 'analytics.show', 'links.analytics']) {
      expect(exampleOf(id, false), id).toBeDefined()
    }
  })

  it('describes the body of each `PATCH` as a merge patch too', () => {
    const patches = operations.filter(
      ({ method, operation }) => method === 'PATCH' && bodyOf(operation),
    )
    expect(patches.length).toBeGreaterThan(10)
    for (const { operation } of operations) {
      const { 'application/merge-patch+json': patch } = operation.requestBody?.content ?? {}
      const isPatch = patches.some(it => it.operation === operation)
      expect(patch?.schema, operation.operationId).toEqual(isPatch ? bodyOf(operation) : undefined)
    }
  })

  it('lets requests leave out what has a default, and answers never', () => {
    const withDefault = linnet.app.routes.flatMap(({ body }) =>
      body ? propertiesOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })) : [],
    )
    expect(withDefault.some(hasDefault)).toBe(true)
    const ofBodies = operations.flatMap(({ operation }) => propertiesOf(bodyOf(operation)))
    // Client generators assume that a field with a default is always there.
    expect(ofBodies.filter(hasDefault)).toEqual([])
    const ofAnswers = operations.flatMap(({ operation: { responses } }) => propertiesOf(responses))
    expect(ofAnswers.some(hasDefault)).toBe(true)
    expect(ofAnswers.filter(it => hasDefault(it) && !it.isRequired)).toEqual([])
  })

  it('says what every answer and every problem looks like', () => {
    for (const { operation } of operations) {
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        const where = `${operation.operationId} ${status}`
        const types = Object.keys(content)
        if (status >= '400') expect(types, where).toEqual(['application/problem+json'])
        else expect(types.length === 0, where).toBe(['204', '303', '304'].includes(status))
        for (const type of types.filter(type => type.endsWith('json'))) {
          const schema = content[type]?.schema
          expect(schema?.properties ?? schema?.additionalProperties, where).toBeDefined()
        }
      }
    }
  })
})

function queryOf({ parameters }: Operation): readonly string[] {
  return parameters.flatMap(it => (it.in === 'query' ? [it.name] : []))
}

interface Property {
  readonly name: string
  readonly schema: JSONSchema
  readonly isRequired: boolean
}

/** The fields of all objects in a value, at any depth. */
function propertiesOf(inside: unknown): readonly Property[] {
  if (typeof inside !== 'object' || inside === null) return []
  const { properties, required = [] } = inside as JSONSchema
  const own = Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    schema: schema as JSONSchema,
    isRequired: required.includes(name),
  }))
  return [...own, ...Object.values(inside).flatMap(propertiesOf)]
}

function hasDefault({ schema }: Property): boolean {
  return schema.default !== undefined
}

/** The patterns that a schema checks texts by, at any depth. */
function patternsIn(schema: z.ZodType): readonly RegExp[] {
  const found: RegExp[] = []
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      const { checks = [] } = zodSchema._zod.def
      for (const { def } of [zodSchema._zod, ...checks.map(check => check._zod)]) {
        if ('pattern' in def && def.pattern instanceof RegExp) found.push(def.pattern)
      }
    },
  })
  return found
}

/** Each default and each example of a document, with its schema. */
function withSamples(
  value: unknown,
): readonly { readonly schema: JSONSchema; readonly sample: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const { default: given, examples = [], ...schema } = value as JSONSchema
  const samples = [given, ...(Array.isArray(examples) ? examples : [])]
  return [
    ...samples.flatMap(sample => (sample === undefined ? [] : [{ schema, sample }])),
    ...Object.values(value).flatMap(withSamples),
  ]
}

/** A schema and all object schemas in it. */
function objectsIn(schema: Schema): readonly Schema[] {
  const { properties = {}, anyOf = [], items } = schema
  const inside = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]
  return [schema, ...inside.flatMap(objectsIn)]
}
