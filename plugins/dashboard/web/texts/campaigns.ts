/** Every word on the pages of campaigns. */
export const campaignsTexts = {
  title: 'Campaigns',
  lead: 'Links that serve one purpose, with their visits summed up.',
  list: 'Your campaigns',
  create: 'New campaign',
  edit: 'Edit campaign',
  submit: 'Make the campaign',
  name: 'Name',
  description: 'Description',
  startsAt: 'Starts',
  endsAt: 'Ends',
  spanHint: 'For your own overview: links work before and after.',
  made: (name: string) => `The campaign ${name} is made.`,
  deleted: (name: string) => `The campaign ${name} is deleted.`,
  states: { upcoming: 'Upcoming', running: 'Running', ended: 'Ended' },
  from: (start: string) => `From ${start}`,
  until: (end: string) => `Until ${end}`,
  span: (start: string, end: string) => `${start}\u00A0– ${end}`,
  links: (count: number, shown: string) => (count === 1 ? '1 link' : `${shown} links`),
  visits: (count: number, shown: string) => (count === 1 ? '1 visit' : `${shown} visits`),
  linksCount: 'Links',
  visitsCount: 'Visits',
  perLink: 'Visits per link',
  when: 'When',
  always: 'Without dates',
  actionsOf: (name: string) => `Actions for ${name}`,
  showLinks: 'Show its links',
  analytics: 'Analytics',
  topLinks: 'Most visited links',
  allLinks: 'All its links',
  noLinks: 'No link is in this campaign yet. Choose it when you make or edit a link.',
  toLinks: 'Go to your links',
  back: 'All campaigns',
  deleteHeading: (name: string) => `Delete the campaign ${name}?`,
  deleteWarning: (count: number, shown: string) =>
    count === 0
      ? 'No link is in it.'
      : count === 1
        ? 'Its link stays, with its visits; it is in no campaign then.'
        : `Its ${shown} links stay, with their visits; they are in no campaign then.`,
  emptyHeading: 'Start your first campaign',
  emptyLead:
    'A campaign gathers the links of one purpose, as a launch or a season, and sums up their visits.',
} as const
