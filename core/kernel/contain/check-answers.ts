import { z } from 'zod'
import { checkWebAddress, isSafeToFollow, maxUrlLength } from '../../lib/net/web-address.ts'
import { counted } from '../../lib/text/counted.ts'
import { codePattern } from '../../links/follow/read-path.ts'
import { isRefusal } from '../../plugin/outcomes.ts'

/** Returns what is wrong with the value that a hook returned, as one sentence; undefined if it matches its type. */
export type Check = (answer: unknown) => string | undefined

/** One text for every language, or a text for each of several languages, English among them. */
const visitorText = z.union([z.string(), z.object({ en: z.string() }).catchall(z.string())])

const refusal = z.object({
  kind: z.literal('refuse'),
  code: z.string(),
  detail: z.string(),
  texts: visitorText.optional(),
  status: z.int().min(400).max(599),
  field: z.string().optional(),
  details: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

const input = z.object({
  name: z.string(),
  label: visitorText,
  type: z.enum(['text', 'password', 'email']),
})

const safeAddress = z.string().refine(isSafeToFollow, {
  error: 'must be an http or https URL, spelled as the href of a URL',
})

/** A URL that is too long is not the plugin's fault: most of it came from a client, who gets the error. */
const originalUrl = z
  .string()
  .refine(text => text.length > maxUrlLength || 'href' in checkWebAddress(text), {
    error: 'must be an http or https URL',
  })

const outcomes = [
  refusal,
  z.object({
    kind: z.literal('ask'),
    title: visitorText,
    inputs: z.array(input),
    problem: visitorText.optional(),
  }),
  z.object({ kind: z.literal('redirect'), url: safeAddress }),
] as const

const aFunction = z.custom(it => typeof it === 'function', 'must be a function')
const claim = z.object({ kind: z.literal('claim'), claim: aFunction })
const label = z.object({ label: visitorText, value: visitorText })
const row = z.record(z.string(), z.unknown())

/** A Kysely query. */
const query = z.custom(
  it => typeof it === 'object' && it !== null && 'toOperationNode' in it,
  'must be a query',
)

/** Checks of the values that hooks return, by hook. */
export const checks = {
  refusal: checkOf(refusal.optional()),
  guard: checkOf(z.discriminatedUnion('kind', [...outcomes, claim]).optional()),
  claim: checkOf(z.discriminatedUnion('kind', outcomes).optional()),
  step: checkOf(aFunction.optional()),
  target: checkOf(z.union([z.string(), z.object({ url: z.string(), variant: z.string() })])),
  address: checkOf(safeAddress),
  view: checkOf(
    z.object({
      heading: visitorText,
      rows: z.array(label),
      link: z.object({ label: visitorText, url: safeAddress }),
    }),
  ),
  mount: orRefusal(
    checkOf(
      z
        .object(
          {
            kind: z.literal('file'),
            type: z.string(),
            content: z.union([z.string(), z.instanceof(Uint8Array)]),
            maxAgeSeconds: z.int().min(0),
            status: z.int().min(200).max(599).optional(),
          },
          'must be a file, a refusal or undefined',
        )
        .optional(),
    ),
  ),
  hosts: checkOf(
    z.array(
      z.object({
        name: z.string(),
        accountId: z.int(),
        rootUrl: z.string().nullable(),
        notFoundUrl: z.string().nullable(),
      }),
    ),
  ),
  addresses: checkOf(z.array(z.object({ field: z.string(), url: z.string() }))),
  query: checkOf(query.optional()),
  rows: checkOf(query),
  count: checkOf(z.int().min(0)),
  prepare: orRefusal(
    checkOf(
      z
        .strictObject({
          domain: z.string().optional(),
          originalUrl: originalUrl.optional(),
          shortCode: z
            .string()
            .regex(codePattern, 'must be 1 to 64 letters, digits, hyphens and underscores')
            .optional(),
        })
        .optional(),
    ),
  ),
} as const

const wrongly = 'it returned an invalid value: '

/** Checks that there is one addition for each link; with a schema, that each has exactly the declared members. */
export function checkAdditions(
  schema?: Readonly<Record<string, z.ZodType>>,
): (answer: unknown, links: number) => string | undefined {
  const check = checkOf(z.array(schema ? z.strictObject(schema) : row))
  return (answer, links) => {
    const wrong = check(answer)
    if (wrong !== undefined || !Array.isArray(answer) || answer.length === links) return wrong
    return `${wrongly}${counted(answer.length, 'addition')} for ${counted(links, 'link')}`
  }
}

/** Accepts a valid refusal, or what another check accepts. */
function orRefusal(check: Check): Check {
  return answer => (isRefusal(answer) ? checks.refusal(answer) : check(answer))
}

function checkOf(schema: z.ZodType): Check {
  // Most hooks return undefined.
  const mayBeNothing = schema.safeParse(undefined).success
  return answer => {
    if (answer === undefined && mayBeNothing) return undefined
    const { error } = schema.safeParse(answer)
    if (!error) return undefined
    const wrong = error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    )
    return `${wrongly}${wrong.join('; ')}`
  }
}
