/** The texts of the form for a link, new or existing. */
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
  barredLead:
    'Your plan does not include this. What is already set keeps working, and you can remove it.',
  set: 'Set',
  on: 'On',
  off: 'Off',
  items: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  rules: (count: number) => (count === 1 ? '1 rule' : `${count} rules`),
  submit: 'Create link',
  cancel: 'Cancel',
  saveBar: 'Unsaved changes',
  unsaved: 'You have unsaved changes.',
  discard: 'Discard',
  save: 'Save changes',
  noTags: 'No such tag.',
  createTag: (name: string) => `Create tag “${name}”`,
  noCampaigns: 'No such campaign.',
  createCampaign: (name: string) => `Create campaign “${name}”`,
  defaultDomain: (host: string) => `${host} (this instance)`,
  leaveHeading: 'Leave without saving?',
  leaveWarning: 'Your changes on this page will be lost.',
  leave: 'Leave',
  stay: 'Stay',
  conflictHeading: 'Changed elsewhere',
  conflictLead:
    'This link was changed by someone else, or in another window, while you were editing it. None of your changes are lost.',
  conflictDisputed: 'These were changed in both places. Which version do you want to keep?',
  conflictTaken: 'These were changed only there. They stay as they are now.',
  conflictNothing: 'Nothing that this form shows was changed there.',
  mine: 'Mine',
  theirs: 'Theirs',
  mineIs: 'Mine',
  theirsIs: 'Theirs',
  conflictSave: 'Save',
  fromNow: 'From now',
  endsIn: { 1: 'In 1 day', 7: 'In 7 days', 30: 'In 30 days', 365: 'In 1 year' },
} as const

/** What a short code may contain, and whether it is available. */
export const codesTexts = {
  random: 'Leave empty for a random one',
  asking: 'Checking availability…',
  free: 'Available.',
  taken: 'Already taken.',
  reserved: 'Reserved by Linnet.',
  malformed: 'Use only letters, digits, hyphens and underscores, at most 64 characters.',
  use: (code: string) => `Use ${code}`,
} as const

/** Templates for UTM parameters. */
export const utmTexts = {
  templates: 'Templates',
  keep: 'Save as template…',
  remove: (name: string) => `Remove “${name}”`,
  name: 'Template name',
} as const

/** What becomes of a path after a short code. */
export const pathsTexts = {
  off: 'Off',
  append: 'Appended to the original URL',
  template: 'Put into a template',
  templateLabel: 'Template',
  templateHint:
    'A path on the host of the original URL: {1} is the first part, {*} all that follow, {query.name} a parameter, {1|start} has a default.',
  example: 'For example',
} as const
