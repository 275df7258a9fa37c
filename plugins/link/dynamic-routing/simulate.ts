import {
  type Context,
  endpoint,
  type LinkView,
  momentSchema,
  type Place,
  shownAddress,
  type Visit,
  z,
} from '../../../core/plugin.ts'
import { citySchema, readCity } from './cities.ts'
import { devices } from './conditions.ts'
import { compileRules, type Explained } from './routes.ts'
import type { Rule } from './rules.ts'
import type { Draw } from './split.ts'

const text = z.string().max(512)

const body = z.strictObject({
  visitor: z.union([z.ipv4(), z.ipv6()]).optional().meta({
    description:
      'IP address. It decides the country, the city, the network and the visitor’s place in a split.',
  }),
  userAgent: text
    .optional()
    .meta({ description: 'It decides device, operating system and browser.' }),
  device: z.enum(devices).optional(),
  os: text.optional(),
  browser: text.optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .toUpperCase()
    .optional(),
  city: citySchema.optional().meta({
    description: 'Its English name, or as analytics write it: US|Illinois|Springfield.',
  }),
  language: text.optional().meta({ description: 'As in `Accept-Language`: de-AT, de;q=0.9.' }),
  query: z.string().max(8_192).optional().meta({ description: 'As in a URL: a=1&b=2.' }),
  time: momentSchema()
    .optional()
    .meta({ description: 'When the visit takes place; now, if absent.' }),
})

type Said = z.output<typeof body>

const answer = z.strictObject({
  data: z.strictObject({
    rule: z.string().nullable().meta({ description: 'Name of the rule that applies; null: none.' }),
    originalUrl: shownAddress.meta({ description: 'Where the visitor goes.' }),
    rules: z.array(
      z.strictObject({
        name: z.string(),
        originalUrl: shownAddress,
        wins: z.boolean(),
        reached: z.boolean().meta({ description: 'False: an earlier rule applies.' }),
        share: z
          .strictObject({ from: z.number(), to: z.number(), drawn: z.number(), holds: z.boolean() })
          .nullable()
          .meta({ description: 'The share of visitors it takes, in per cent; null: all.' }),
        conditions: z.array(
          z.strictObject({
            type: z.string(),
            operator: z.string(),
            key: z.string().nullable(),
            expected: z.union([z.string(), z.array(z.string())]).nullable(),
            seen: z
              .string()
              .nullable()
              .meta({ description: 'What is known of the visitor; null: unknown.' }),
            holds: z.boolean(),
          }),
        ),
      }),
    ),
  }),
})

/** `POST /links/:id/simulate`: where a visit would lead. Nothing is counted, and no guard is asked. */
export const simulate = endpoint({
  summary: 'Test which routing rule of a link applies to a visitor, and why',
  scope: 'links:read',
  body,
  answer,
  async handle({ caller, params: { id = '' }, body }, context) {
    const link = await context.links.findOwn(caller, id)
    if (!link) return undefined
    const { dynamicRouting } = await context.links.ownFields(link)
    const { rules = [] } = (dynamicRouting ?? {}) as { readonly rules?: readonly Rule[] }
    const routes = compileRules(rules, context.state as Draw)
    const explained = routes.explain(imagine(link, body, context))
    const winner = explained.findIndex(({ fits }) => fits)
    return {
      data: {
        rule: explained[winner]?.rule.name ?? null,
        originalUrl: explained[winner]?.rule.originalUrl ?? link.originalUrl,
        rules: explained.map((it, index) => shown(it, index, winner)),
      },
    }
  },
})

/** Explicit values take precedence over those derived from the user agent and the IP address. */
function imagine(link: LinkView, said: Said, { unstable, now }: Context): Visit {
  const { visitor = '', userAgent = '', language = '', query = '', time } = said
  const at = time === undefined ? now() : new Date(time)
  const visit = unstable.imagineVisit(link, { ip: visitor, userAgent, language, query, at })
  const { device = visit.agent.device, os = visit.agent.os, browser = visit.agent.browser } = said
  return {
    ...visit,
    agent: { ...visit.agent, device, os, browser },
    place: placeIn(said, visit.place),
  }
}

/** A country that is said is not that of the address, so that its city is none either. */
function placeIn({ country, city }: Said, place: Place): Place {
  const read = city === undefined ? undefined : readCity(city)
  if (read) return { country: country ?? place.country, city: read }
  return country === undefined ? place : { country, city: undefined }
}

function shown({ rule, share, conditions }: Explained, index: number, winner: number) {
  return {
    name: rule.name,
    originalUrl: rule.originalUrl,
    wins: index === winner,
    reached: winner === -1 || index <= winner,
    share,
    conditions: conditions.map(({ type, operator, key, value, seen, holds }) => ({
      type,
      operator,
      key,
      expected: value,
      seen,
      holds,
    })),
  }
}
