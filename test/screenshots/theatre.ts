import { createLink, type Server } from '../e2e/server.ts'

/** A link of an imaginary theatre on tour. */

interface ImaginedLink {
  readonly short_code: string
  readonly title: string
  readonly original_url: string
  readonly tags: readonly Tag[]
  readonly onTour?: boolean
  /** How many days before the pictures it was created. */
  readonly madeDaysAgo: number
  /** Visits on an average day. */
  readonly visitsADay: number
  /** Fields of plugins. */
  readonly more?: object
}

const tags = {
  Print: '#C2410C',
  Newsletter: '#1971C2',
  Social: '#9C36B5',
  Partners: '#2F7D32',
} as const

type Tag = keyof typeof tags

const at = (path: string) => `https://www.harbour-theatre.example${path}`

const rule = (name: string, path: string, type: string, value: readonly string[]) => ({
  name,
  original_url: at(path),
  conditions: [{ type, operator: 'is', value }],
})

export const links: readonly ImaginedLink[] = [
  {
    short_code: 'tickets',
    title: 'Tickets for the autumn tour',
    original_url: at('/tour/tickets?season=autumn'),
    tags: ['Print', 'Social'],
    onTour: true,
    madeDaysAgo: 59,
    visitsADay: 52,
    more: {
      dynamic_routing: {
        rules: [
          rule('German-speaking', '/de/tour/karten', 'country', ['DE', 'AT', 'CH']),
          rule('App', '/app/tickets', 'os', ['iOS', 'Android']),
        ],
      },
    },
  },
  {
    short_code: 'posters',
    title: 'Poster series, north',
    original_url: at('/tour/dates?from=poster'),
    tags: ['Print'],
    onTour: true,
    madeDaysAgo: 41,
    visitsADay: 17,
  },
  {
    short_code: 'news',
    title: 'Newsletter: behind the scenes',
    original_url: at('/blog/behind-the-scenes'),
    tags: ['Newsletter'],
    madeDaysAgo: 33,
    visitsADay: 24,
  },
  {
    short_code: 'early-bird',
    title: 'Early-bird offer',
    original_url: at('/tour/offers/early-bird'),
    tags: ['Newsletter'],
    onTour: true,
    madeDaysAgo: 58,
    visitsADay: 9,
    more: { expires_at: '2026-11-08T22:59:00Z' },
  },
  {
    short_code: 'programme',
    title: 'Programme booklet (PDF)',
    original_url: at('/files/programme-autumn.pdf'),
    tags: ['Print'],
    onTour: true,
    madeDaysAgo: 26,
    visitsADay: 13,
  },
  {
    short_code: 'hotel',
    title: 'Partner hotels',
    original_url: 'https://stay.example.com/harbour-theatre',
    tags: ['Partners'],
    madeDaysAgo: 19,
    visitsADay: 6,
  },
  {
    short_code: 'press',
    title: 'Press kit',
    original_url: at('/press/kit-2026.zip'),
    tags: ['Partners'],
    madeDaysAgo: 12,
    visitsADay: 0,
    more: { password: 'curtain up' },
  },
  {
    short_code: 'trailer',
    title: 'Trailer: The Lighthouse',
    original_url: 'https://video.example.org/watch/the-lighthouse',
    tags: ['Social'],
    madeDaysAgo: 6,
    visitsADay: 31,
  },
  {
    short_code: 'spring',
    title: 'Spring season',
    original_url: at('/spring'),
    tags: ['Social', 'Newsletter'],
    madeDaysAgo: 2,
    visitsADay: 0,
    more: { starts_at: '2027-01-15T08:00:00Z' },
  },
]

/** What groups the links: ids of tags by name, and the id of the tour's campaign. */
export interface Order {
  readonly tagIds: Readonly<Record<string, string>>
  readonly tourId: string
}

/** Creates tags and a campaign, and names the admin. */
export async function fillInstance(server: Server): Promise<Order> {
  await server.api('PATCH', '/profile', { fullName: 'Ada Lovelace' })
  const tagIds: Record<string, string> = {}
  for (const [name, color] of Object.entries(tags)) {
    tagIds[name] = (await server.api('POST', '/tags', { name, color })).body.data.id
  }
  const tour = await server.api('POST', '/campaigns', {
    name: 'Autumn tour',
    description: 'Posters, programme and letters of the tour through the north.',
    starts_at: '2026-09-21T08:00:00Z',
    ends_at: '2026-12-20T20:00:00Z',
  })
  return { tagIds, tourId: tour.body.data.id }
}

/** Creates the links of a day. */
export async function makeLinks(server: Server, daysAgo: number, order: Order): Promise<void> {
  for (const { tags, onTour, madeDaysAgo, visitsADay, more, ...fields } of links) {
    if (madeDaysAgo !== daysAgo) continue
    await createLink(server, {
      ...fields,
      ...more,
      tag_ids: tags.map(name => order.tagIds[name]),
      ...(onTour && { campaign_id: order.tourId }),
    })
  }
}
