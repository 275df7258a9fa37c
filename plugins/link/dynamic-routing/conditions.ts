import {
  inNetworks,
  line,
  networkSchema,
  preferredLanguage,
  type Visit,
  z,
} from '../../../core/plugin.ts'
import { citySchema, compileCities, tellCity } from './cities.ts'
import { compileTimes, times } from './time.ts'

/** The device types of a visit. */
export const devices = ['desktop', 'mobile', 'tablet', 'other'] as const

const word = line(100)
const none = z.null().default(null)

/** What a condition compares, how, and with which values. */
export const conditionSchema = z
  .discriminatedUnion(
    'type',
    [
      fact('device', z.enum(devices), 'Enter desktop, mobile, tablet or other, or a list of them.'),
      fact('os', word, 'Enter an operating system, such as Android, or a list of them.'),
      fact('browser', word, 'Enter a browser, such as Firefox, or a list of them.'),
      fact(
        'country',
        code(/^[A-Za-z]{2}$/).toUpperCase(),
        'Enter a country by its ISO code, such as DE.',
      ),
      fact(
        'city',
        citySchema,
        'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield, or a list of them.',
      ),
      fact(
        'network',
        networkSchema(),
        'Enter an address or a network, such as 192.0.2.0/24 or 2001:db8::/32, or a list of them.',
      ),
      fact(
        'language',
        code(/^[A-Za-z]{2,3}(-[A-Za-z\d]{1,8})*$/),
        'Enter a language, such as en or en-GB.',
      ),
      z.discriminatedUnion('operator', [
        z.strictObject({
          type: z.literal('query_param'),
          operator: z.enum(['is', 'is_not']),
          key: word,
          value: oneOrSeveral(
            z.string().max(500),
            'Enter the value of the parameter, or a list of values.',
          ),
        }),
        z.strictObject({
          type: z.literal('query_param'),
          operator: z.enum(['exists', 'not_exists']),
          key: word,
          value: none,
        }),
      ]),
      z.strictObject({
        type: z.literal('time'),
        operator: z.enum(['between', 'not_between']),
        key: none,
        value: times,
      }),
    ],
    {
      error:
        'Must be one of: device, os, browser, country, city, network, language, query_param, time.',
    },
  )
  .meta({ id: 'RoutingCondition' })

export type Condition = z.output<typeof conditionSchema>

/** A compiled condition. */
export interface Test {
  holds(visit: Visit): boolean
  /** Returns the visit's value that the condition compares; null if it is unknown. */
  seen(visit: Visit): string | null
}

export function compileCondition(condition: Condition): Test {
  switch (condition.type) {
    case 'query_param':
      return compileParameter(condition)
    case 'time': {
      const { isWithin, seen } = compileTimes(condition.value)
      const wanted = condition.operator === 'between'
      return { seen, holds: visit => isWithin(visit) === wanted }
    }
    case 'city':
      return testOf(condition, compileCities([condition.value].flat()), ({ place: { city } }) =>
        city ? tellCity(city) : null,
      )
    case 'network': {
      const isWithin = inNetworks([condition.value].flat())
      return testOf(
        condition,
        visit => isWithin(visit.ip),
        ({ ip }) => ip || null,
      )
    }
    default:
      return compileFact(condition)
  }
}

/** What is unknown is in no list, so that `is_not` holds. */
function testOf(
  { operator }: { readonly operator: 'is' | 'is_not' },
  isMet: (visit: Visit) => boolean,
  seen: Test['seen'],
): Test {
  return { seen, holds: visit => isMet(visit) === (operator === 'is') }
}

const facts: Readonly<Record<Fact['type'], (visit: Visit) => string | undefined>> = {
  device: ({ agent }) => agent.device,
  os: ({ agent }) => agent.os,
  browser: ({ agent }) => agent.browser,
  country: ({ place }) => place.country,
  language: ({ language }) => preferredLanguage(language) || undefined,
}

type Fact = Extract<Condition, { type: 'device' | 'os' | 'browser' | 'country' | 'language' }>

/** Ignores case. If the visit's value is unknown, `is` fails and `is_not` holds. */
function compileFact({ type, operator, value }: Fact): Test {
  const read = facts[type]
  const wanted = [value].flat().map(text => text.toLowerCase())
  const isWanted =
    type === 'language'
      ? (seen: string) => wanted.some(tag => seen === tag || seen.startsWith(`${tag}-`))
      : (seen: string) => wanted.includes(seen)
  // What Safari on phones and tablets was called when older rules were made.
  const isOnPhones = type === 'browser' && wanted.includes('mobile safari')
  return {
    seen: visit => read(visit) ?? null,
    holds(visit) {
      const seen = read(visit)
      const isMet =
        (seen !== undefined && isWanted(seen.toLowerCase())) ||
        (isOnPhones && seen === 'Safari' && visit.agent.os === 'iOS')
      return isMet === (operator === 'is')
    },
  }
}

/** A parameter may be repeated: one wanted value is enough. */
function compileParameter({
  key,
  operator,
  value,
}: Extract<Condition, { type: 'query_param' }>): Test {
  const wanted = new Set([value].flat())
  const isThere = ({ query }: Visit) =>
    value === null ? query.has(key) : query.getAll(key).some(sent => wanted.has(sent))
  const expected = operator === 'is' || operator === 'exists'
  return {
    seen: ({ query }) => (query.has(key) ? query.getAll(key).join(', ') : null),
    holds: visit => isThere(visit) === expected,
  }
}

function fact<const T extends string, V extends z.ZodType>(type: T, one: V, sentence: string) {
  return z.strictObject({
    type: z.literal(type),
    operator: z.enum(['is', 'is_not']),
    key: none,
    value: oneOrSeveral(one, sentence),
  })
}

function oneOrSeveral<V extends z.ZodType>(one: V, error: string) {
  return z.union([one, z.array(one).min(1, 'Enter at least one value.').max(50)], { error })
}

function code(pattern: RegExp) {
  return z.string().regex(pattern)
}
