/** The texts of the campaign pages. */
export const campaignsTexts = {
  title: 'Campaigns',
  lead: 'Links that serve one purpose, with their combined statistics.',
  list: 'Your campaigns',
  create: 'New campaign',
  edit: 'Edit campaign',
  submit: 'Create campaign',
  name: 'Name',
  description: 'Description',
  startsAt: 'Starts',
  endsAt: 'Ends',
  spanHint: 'For your own overview. Links work before and after these dates.',
  made: (name: string) => `Campaign ${name} created.`,
  deleted: (name: string) => `Campaign ${name} deleted.`,
  states: { upcoming: 'Upcoming', running: 'Running', ended: 'Ended' },
  from: (start: string) => `From ${start}`,
  until: (end: string) => `Until ${end}`,
  span: (start: string, end: string) => `${start}\u00A0– ${end}`,
  links: (count: number, shown: string) => (count === 1 ? '1 link' : `${shown} links`),
  visits: (count: number, shown: string) => (count === 1 ? '1 visit' : `${shown} visits`),
  linksCount: 'Links',
  visitsCount: 'Visits',
  perLink: 'Visits per link',
  when: 'Dates',
  always: 'No dates',
  actionsOf: (name: string) => `Actions for ${name}`,
  showLinks: 'Show links',
  analytics: 'Analytics',
  topLinks: 'Most visited links',
  allLinks: 'All links in this campaign',
  noLinks: 'No links in this campaign yet. Choose it when you create or edit a link.',
  toLinks: 'Go to your links',
  back: 'All campaigns',
  deleteHeading: (name: string) => `Delete the campaign ${name}?`,
  deleteWarning: (count: number, shown: string) =>
    count === 0
      ? 'No link is in this campaign.'
      : count === 1
        ? 'Its link stays, with its statistics, but is no longer in a campaign.'
        : `Its ${shown} links stay, with their statistics, but are no longer in a campaign.`,
  emptyHeading: 'Create your first campaign',
  emptyLead:
    'A campaign groups the links of one purpose, such as a launch or a season, and shows their combined statistics.',
} as const
