import type { Words } from './sentences.ts'

export const en: Words = {
  kinds: {
    limits: 'limits of your plan',
    endingLinks: 'links that end soon',
    blockedLinks: 'blocked links',
    deadLinks: 'links whose addresses do not answer',
    webhooks: 'webhooks that are switched off',
    imports: 'imports that have ended',
    weekly: 'the numbers of the week',
    others: 'what plugins tell you',
  },
  because: (brand, about) => `${brand} sends you mails about ${about}.`,
  end: 'End these mails',
  choose: 'Choose what you are told',
  more: n => (n === 1 ? 'And one more.' : `And ${n} more.`),
  limits: {
    subject: isReached =>
      isReached ? 'A limit of your plan is reached' : 'A limit of your plan is nearly reached',
    lead: 'So much of what your plan includes is used:',
    names: {
      maxLinksCreatedPerMonth: 'New links this month',
      maxTrackedVisitsPerMonth: 'Counted visits this month',
      maxTags: 'Tags',
      maxCampaigns: 'Campaigns',
    },
    used: (used, limit) => `${used} of ${limit}`,
    nextMonth: 'The count starts again on the first day of next month (UTC).',
  },
  endingLinks: {
    subject: n => (n === 1 ? 'A link ends soon' : `${n} links end soon`),
    lead: 'Visitors get no further after that, unless you choose another end.',
    on: date => `Ends on ${date}`,
    left: n => (n === 1 ? 'One visit is left' : `${n} visits are left`),
  },
  blockedLinks: {
    subject: n => (n === 1 ? 'A link is blocked' : `${n} links are blocked`),
    lead: 'The address turned out to be harmful. Visitors see a page that says so.',
  },
  deadLinks: {
    subject: n =>
      n === 1
        ? 'The address of a link does not answer'
        : `The addresses of ${n} links do not answer`,
    lead: 'Visitors are still sent there.',
  },
  leadsTo: address => `Leads to ${address}`,
  webhooks: {
    subject: n => (n === 1 ? 'A webhook is switched off' : `${n} webhooks are switched off`),
    lead: 'Nothing is sent until you switch it on again. What it misses is kept for seven days, and can be sent then.',
    failing: 'It took nothing for five days.',
    gone: 'It answered 410, which says that it wants nothing more.',
    open: 'Open the webhooks',
  },
  imports: {
    subject: isDone => (isDone ? 'An import is finished' : 'An import has stopped'),
    from: source => `From ${source}`,
    counts: (made, refused, visits) =>
      `Links made: ${made}; refused: ${refused}; visits: ${visits}`,
    open: 'Open the imports',
  },
  weekly: {
    subject: visits => `Your links last week: ${visits} visits`,
    lead: (visits, from, to) => `${visits} visits from ${from} to ${to}.`,
    change: percent =>
      percent === null
        ? 'There were none in the week before.'
        : percent === 0
          ? 'As many as in the week before.'
          : `${Math.abs(percent)} % ${percent > 0 ? 'more' : 'fewer'} than in the week before.`,
    row: (visits, before) => `Visits: ${visits}; the week before: ${before}`,
    open: 'Open the analytics',
  },
  others: { subject: n => `${n} messages` },
  test: {
    subject: brand => `A test of ${brand}`,
    lead: 'What you have chosen to be told reaches you at this address.',
  },
  stop: {
    ask: about => `End mails about ${about}?`,
    asked: 'You can choose them again in your settings.',
    done: 'You get no more of these mails',
    back: 'Open the settings',
  },
}
