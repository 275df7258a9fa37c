/** Every word of the form of a link, new or not. */
export const linkFormTexts = {
  fields: {
    originalUrl: 'Original URL',
    title: 'Title',
    notes: 'Notes',
    archived: 'Archived',
    archivedHint: 'Hidden from the list; the link still works.',
  },
  main: 'Link',
  sorting: 'Organise',
  options: 'Options',
  barred: 'Not in your plan',
  barredLead: 'Your plan does not include this. What is set keeps working, and can be removed.',
  set: 'Set',
  on: 'On',
  off: 'Off',
  items: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  rules: (count: number) => (count === 1 ? '1 rule' : `${count} rules`),
  loading: 'Loading',
  submit: 'Create link',
  cancel: 'Cancel',
  saveBar: 'Unsaved changes',
  unsaved: 'You have unsaved changes.',
  discard: 'Discard',
  save: 'Save changes',
  noTags: 'No such tag.',
  createTag: (name: string) => `Create tag “${name}”`,
  noCampaigns: 'No such campaign.',
  defaultDomain: (host: string) => `${host} (this instance)`,
  leaveHeading: 'Leave without saving?',
  leaveWarning: 'What you changed on this page would be lost.',
  leave: 'Leave',
  stay: 'Stay here',
  conflictHeading: 'Changed elsewhere',
  conflictLead:
    'Somebody else, or another window of yours, changed this link while you were at it. Nothing of yours is lost.',
  conflictDisputed: 'Both of you changed these. Which should be kept?',
  conflictTaken: 'Changed there only; it is kept as it is now.',
  conflictNothing: 'What changed there is nothing that this form shows.',
  mine: 'Mine',
  theirs: 'Theirs',
  mineIs: 'Mine',
  theirsIs: 'Theirs',
  conflictSave: 'Save',
  fromNow: 'From now',
  endsIn: { 1: 'In a day', 7: 'In 7 days', 30: 'In 30 days', 365: 'In a year' },
} as const

/** What a short code may be, and whether it can be had. */
export const codesTexts = {
  random: 'Random, unless you choose one',
  asking: 'Looking whether it is free…',
  free: 'It is free.',
  taken: 'It is taken.',
  reserved: 'It is reserved.',
  malformed: 'A code has only letters, digits, hyphens and underscores, at most 64.',
  use: (code: string) => `Use ${code}`,
} as const

/** Templates of UTM parameters. */
export const utmTexts = {
  templates: 'Templates',
  keep: 'Save as a template…',
  remove: (name: string) => `Remove “${name}”`,
  name: 'Name of the template',
} as const
