import { z } from 'zod'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import {
  checkAddress,
  isLoopback,
  isSafeToFollow,
  maxUrlLength,
} from '../../lib/net/web-address.ts'
import { maybeCode } from '../../links/codes/read-path.ts'
import { answerHeaders } from '../../plugin/answers/answer-headers.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import { tooLarge } from './answer-size.ts'
import { type Check, checkBySchema, maxAnswer } from './check-by-schema.ts'

/** The most characters of one text, and the most entries of one list: more is a mistake, and pages show it all. */
const maxText = 10_000
const maxEntries = 1_000

/** With the content of a file. */
const maxWithFile = maxAnswer + memoryShares.answerBytes
/** As there may be many hosts. */
const maxHosts = 20 * maxAnswer

/** A picture that can be shown as it is. */
const pictureUri = /^data:image\/(png|svg\+xml);base64,[A-Za-z0-9+/=]+$/

const aText = z.string().max(maxText)
const listOf = <T extends z.ZodType>(entry: T) => z.array(entry).max(maxEntries)

/** One text for every language, or a text for each of several languages, English among them. */
const visitorText = z.union([aText, z.object({ en: aText }).catchall(aText)])

const refusal = z.object({
  kind: z.literal('refuse'),
  code: aText,
  detail: aText,
  texts: visitorText.optional(),
  status: z.int().min(400).max(599),
  field: aText.optional(),
  details: z.record(z.string(), z.union([aText, z.number(), listOf(aText)])).optional(),
})

const input = z.object({
  name: aText,
  label: visitorText,
  type: z.enum(['text', 'password', 'new-password', 'email']),
})

/** Longer than that of any request, so that an address can have the whole query of a visit. In characters. */
const maxAddress = 32_768

const webAddress = z
  .string()
  .max(maxAddress)
  .refine(it => isSafeToFollow(it), {
    error: 'must be an http or https URL, spelled as the href of a URL',
  })

/** Where a link leads: whether its scheme is allowed now is for the operator to say, and no fault of the plugin. */
const target = z
  .string()
  .max(maxAddress)
  .refine(it => isSafeToFollow(it, 'any'), {
    error:
      'must be an http or https URL, or one with a scheme that may be allowed, spelled as the href of a URL',
  })

/** A URL that is too long is not the plugin's fault: most of it came from a client, who gets the error. */
const originalUrl = z
  .string()
  .refine(text => text.length > maxUrlLength || 'href' in checkAddress(text, 'any'), {
    error: 'must be an http or https URL, or one with a scheme that may be allowed',
  })

/** As browsers write it: what ends in a number is an address to them. */
const hostPattern = /^([a-z\d_]([a-z\d_-]*[a-z\d_])?\.)*(?!\d+$)[a-z\d_]([a-z\d_-]*[a-z\d_])?$/

/** No name of the machine itself, by which its health is asked for. */
const hostOfLinks = z
  .string()
  .max(253)
  .refine(
    it => hostPattern.test(it) && !isLoopback(it),
    'must be a host in lower case and punycode, without scheme, port and path, and no IP address',
  )

/** `node:http` throws for a value with other characters, when it is too late to blame the plugin. */
const headerValue = z.string().regex(/^[\t -~]{0,4000}$/, 'must be ASCII, in one line')
const headers = z
  .partialRecord(z.enum(answerHeaders), headerValue)
  .refine(({ Location: to = '/' }) => isSafeToFollow(to) || /^\/(?!\/)/.test(to), {
    path: ['Location'],
    error: 'must be an http or https URL, or a path',
  })
  .optional()

const statusOfRedirect = z.union([301, 302, 303, 307, 308].map(it => z.literal(it))).optional()

const redirectTo = (url: z.ZodType) =>
  z.object({ kind: z.literal('redirect'), url, status: statusOfRedirect, headers })
const elsewhere = redirectTo(target)

const rows = listOf(z.object({ label: visitorText, value: visitorText }))

const image = z.object({
  src: z
    .string()
    .regex(
      /^(data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]{1,400000}|\/(?!\/)[\w/.~%-]{0,500})$/,
      'must be a data URI of a PNG, JPEG, WebP or GIF file, or a path on the same host',
    ),
  alt: visitorText,
})

const said = { text: visitorText.optional(), rows: rows.optional(), image: image.optional() }

const buttonTo = (url: z.ZodType) => z.object({ label: visitorText, url })
const page = z.object({
  kind: z.literal('page'),
  heading: visitorText,
  ...said,
  link: buttonTo(target).optional(),
  wait: z.number().min(0).max(3600).optional(),
  meta: z.record(z.string().regex(/^[A-Za-z][\w:.-]{0,99}$/), aText).optional(),
  status: z
    .int()
    .min(200)
    .max(599)
    .refine(it => it < 300 || it > 399, 'must not be that of a redirect')
    .optional(),
  headers,
})

const asking = z.object({
  kind: z.literal('ask'),
  title: visitorText,
  inputs: listOf(input),
  problem: visitorText.optional(),
  ...said,
})

/** What is no link's leads to http and https alone. */
const pageOnWeb = page.extend({ link: buttonTo(webAddress).optional() })

const outcomes = [refusal, asking, page, elsewhere] as const

const aFunction = z.custom(it => typeof it === 'function', 'must be a function')
const claim = z.object({ kind: z.literal('claim'), claim: aFunction })

/** A Kysely query. */
const query = z.custom(
  it => typeof it === 'object' && it !== null && 'toOperationNode' in it,
  'must be a query',
)

const file = z.object(
  {
    kind: z.literal('file'),
    type: z.string().regex(/^[ -~]{1,200}$/, 'must be a media type'),
    content: z
      .union([z.string(), z.instanceof(Uint8Array)])
      .refine(it => tooLarge(it) === undefined, {
        error: ({ input }) => tooLarge(input as string) ?? '',
      }),
    maxAgeSeconds: z.int().min(0),
    status: z.int().min(200).max(599).optional(),
    headers,
  },
  'must be a file',
)

const routed = z.object({
  url: z.string(),
  variant: aText.optional(),
  status: statusOfRedirect,
  headers,
})

/** The most of what goes into a cookie or a ticket beside other things, as JSON. */
const jsonUpTo = (max: number) =>
  z
    .json()
    .refine(
      it => Buffer.byteLength(JSON.stringify(it)) <= max,
      `must be at most ${max} bytes as JSON`,
    )

const method = z.string().regex(/^[a-z0-9-]{1,20}$/, 'must be a word of RFC 8176, such as otp')
const name = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must have no control characters')

const unknown = z.discriminatedUnion('kind', [
  refusal,
  page,
  elsewhere,
  z.object({
    kind: z.literal('follow'),
    path: aText,
    get otherwise(): z.ZodOptional {
      return unknown.optional()
    },
    rest: z.string().optional(),
    instead: file.optional(),
  }),
])

const alone = 'must be empty, because a target asks with a button alone'
const noAnswer = 'must be a file, a page, a redirect, a refusal or undefined'

/** Checks of the values that hooks return, by hook. */
export const checks = {
  refusal: checkBySchema(refusal.optional()),
  guard: checkBySchema(z.discriminatedUnion('kind', [...outcomes, claim]).optional()),
  claim: checkBySchema(z.discriminatedUnion('kind', outcomes).optional()),
  unknown: checkBySchema(unknown.optional(), maxWithFile),
  claimed: checkBySchema(z.boolean()),
  passwords: checkBySchema(z.enum(['everybody', 'admins', 'nobody'])),
  notice: orFailing(checkBySchema(z.boolean())),
  findings: checkBySchema(
    listOf(z.strictObject({ status: z.enum(['warning', 'problem']), says: aText, remedy: aText })),
  ),
  step: checkBySchema(aFunction.optional()),
  // A text of any length is an address that leads nowhere, and nobody follows the link elsewhere then.
  target: checkBySchema(z.union([z.string(), routed]), Number.POSITIVE_INFINITY),
  shownByTarget: checkBySchema(
    z.discriminatedUnion('kind', [page, asking.extend({ inputs: listOf(input).max(0, alone) })]),
  ),
  question: checkBySchema(
    z
      .strictObject({
        text: visitorText,
        kind: z.enum(['code', 'text', 'confirm', 'passkey']),
        picture: z.string().max(8_000).regex(pictureUri).optional(),
        copy: z.string().max(500).optional(),
        data: jsonUpTo(8_000).optional(),
      })
      .optional(),
  ),
  proven: orRefusal(checkBySchema(z.strictObject({ accountId: z.int() }))),
  sent: orRefusal(
    checkBySchema(z.strictObject({ redirect: webAddress, keep: jsonUpTo(1_000).optional() })),
  ),
  left: checkBySchema(z.strictObject({ redirect: webAddress }).optional()),
  identified: orRefusal(
    checkBySchema(
      z.strictObject({
        issuer: name,
        subject: name,
        session: name.optional(),
        email: aText.optional(),
        isEmailVerified: z.boolean().optional(),
        fullName: aText.optional(),
        methods: z.array(method).max(10).optional(),
        create: z.strictObject({ plan: z.string().optional() }).optional(),
        match: z.literal('verifiedEmail').optional(),
        set: z
          .strictObject({ plan: z.string().optional(), isAdmin: z.boolean().optional() })
          .optional(),
      }),
    ),
  ),
  page: checkBySchema(page),
  address: checkBySchema(target),
  view: checkBySchema(z.discriminatedUnion('kind', [refusal, page, elsewhere])),
  file: checkBySchema(file, maxWithFile),
  mount: orRefusal(
    checkBySchema(
      z
        .discriminatedUnion('kind', [asking, file, pageOnWeb, redirectTo(webAddress)], noAnswer)
        .optional(),
      maxWithFile,
    ),
  ),
  token: checkBySchema(aText.optional()),
  hosts: checkBySchema(
    z.array(
      z.object({
        name: hostOfLinks,
        accountId: z.int().nullable(),
        rootUrl: z.string().max(maxAddress).nullable(),
        notFoundUrl: z.string().max(maxAddress).nullable(),
      }),
    ),
    maxHosts,
  ),
  addresses: checkBySchema(listOf(z.object({ field: aText, url: z.string() }))),
  query: checkBySchema(query.optional()),
  rows: checkBySchema(query),
  count: checkBySchema(z.int().min(0)),
  prepare: orRefusal(
    checkBySchema(
      z
        .strictObject({
          domain: z.string().optional(),
          originalUrl: originalUrl.optional(),
          // What codes its host has is checked later, and is mostly the choice of a person.
          shortCode: z
            .string()
            .regex(
              maybeCode,
              'must be a short code: 1 to 64 letters, digits, hyphens and underscores, or what its host has',
            )
            .optional(),
        })
        .optional(),
    ),
  ),
} as const

/** Accepts a valid refusal, or what another check accepts. */
function orRefusal(check: Check): Check {
  return answer => (isRefusal(answer) ? checks.refusal(answer) : check(answer))
}

/** Takes a refusal for a failure, with its reason. */
function orFailing(check: Check): Check {
  return answer =>
    isRefusal(answer) ? (checks.refusal(answer) ?? `it refused: ${answer.detail}`) : check(answer)
}
