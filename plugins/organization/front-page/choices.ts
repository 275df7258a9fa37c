import {
  address,
  choice,
  line,
  lines,
  type Refusal,
  refuse,
  text,
  z,
} from '../../../core/plugin.ts'
import { contactOf } from './security-text.ts'

const fronts = ['dashboard', 'address', 'text', 'nothing'] as const
const unknowns = ['page', 'address'] as const
const robots = ['deny', 'allow', 'text'] as const

const url = address({ label: '', leads: true }).schema
const most = 10_000

/** What a change may have. Null is what is usual. */
export const changeSchema = z
  .strictObject({
    front: z.enum(fronts).nullable(),
    frontUrl: url.nullable(),
    frontTitle: line(100).nullable(),
    frontText: lines(2_000).nullable(),
    unknown: z.enum(unknowns).nullable(),
    unknownUrl: url.nullable(),
    robots: z.enum(robots).nullable(),
    robotsText: lines(most).nullable(),
    securityContact: line(200).nullable(),
  })
  .partial()

/** What the owner chose for the main host. */
export const chosenSchema = z.strictObject({
  front: z.enum(fronts).nullable(),
  frontUrl: z.string().nullable(),
  frontTitle: z.string().nullable(),
  frontText: z.string().nullable(),
  unknown: z.enum(unknowns).nullable(),
  unknownUrl: z.string().nullable(),
  robots: z.enum(robots).nullable(),
  robotsText: z.string().nullable(),
  securityContact: z.string().nullable(),
})

export type Chosen = z.output<typeof chosenSchema>

/** Before anybody chose. */
export const usual: Chosen = {
  ...{ front: null, frontUrl: null, frontTitle: null, frontText: null },
  ...{ unknown: null, unknownUrl: null, robots: null, robotsText: null },
  securityContact: null,
}

/** How the dashboard asks for it. */
export const inputs = {
  front: choice(fronts, {
    label: 'Front page',
    hint: 'What visitors of the bare address see. Empty: the dashboard, unless it has a host of its own.',
    labels: {
      dashboard: 'The dashboard',
      address: 'Another address',
      text: 'A text',
      nothing: 'Nothing (404)',
    },
  }),
  frontUrl: address({ label: 'Address of the front page', leads: true }),
  frontTitle: text({ label: 'Title of the text', max: 100 }),
  frontText: text({ label: 'Text of the front page', max: 2_000 }),
  unknown: choice(unknowns, {
    label: 'Unknown short codes',
    hint: 'Empty: a page that says so.',
    labels: { page: 'A page that says so (404)', address: 'Another address' },
  }),
  unknownUrl: address({ label: 'Address for unknown short codes', leads: true }),
  robots: choice(robots, {
    label: 'Search engines (robots.txt)',
    hint: 'On all hosts. Empty: they may read nothing but links that say so.',
    labels: {
      deny: 'Nothing but links that say so',
      allow: 'Everything',
      text: 'A text of your own',
    },
  }),
  robotsText: text({ label: 'Text of robots.txt', max: most }),
  securityContact: text({
    label: 'Contact for security reports',
    hint: 'In security.txt, such as mailto:security@example.com or https://example.com/security. Empty: there is none.',
    max: 200,
  }),
}

/** What was chosen after a change; a refusal that names the field, where a choice lacks what it needs. */
export function afterChange(
  before: Chosen,
  change: z.output<typeof changeSchema>,
  leadsBack: (url: string) => boolean,
): Chosen | Refusal {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const after: Chosen = { ...before, ...Object.fromEntries(given) }
  for (const [field, part, chosen, problem] of needed) {
    if (after[part] === chosen && after[field] === null) return wrong(field, problem)
  }
  for (const field of ['frontUrl', 'unknownUrl'] as const) {
    const leads = change[field]
    if (leads && leadsBack(leads)) return wrong(field, 'The URL leads back to this link shortener.')
  }
  if (change.robotsText?.split('\n').some(it => !ofRobots.test(it))) {
    return wrong('robotsText', 'Each line is a rule, such as Disallow: /private, or begins with #.')
  }
  if (!change.securityContact) return after
  const securityContact = contactOf(change.securityContact)
  return securityContact
    ? { ...after, securityContact }
    : wrong('securityContact', 'Enter mailto: with an e-mail address, or a URL with https://.')
}

const needed = [
  ['frontUrl', 'front', 'address', 'Enter the address of the front page, or choose another one.'],
  ['frontTitle', 'front', 'text', 'Enter a title, or choose another front page.'],
  [
    'unknownUrl',
    'unknown',
    'address',
    'Enter the address for unknown short codes, or choose the page.',
  ],
  ['robotsText', 'robots', 'text', 'Enter the text of robots.txt, or choose another one.'],
] as const

/** A line of RFC 9309: a rule, a comment, or nothing. */
const ofRobots = /^\s*(#.*|[A-Za-z-]+\s*:.*)?$/

function wrong(field: string, problem: string): Refusal {
  return refuse('validation_failed', problem, 422, field)
}
