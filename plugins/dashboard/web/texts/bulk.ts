/** The texts about changing many links at once. */
export const bulkTexts = {
  selected: (count: string) => `${count} selected`,
  selection: 'Selected links',
  tags: 'Tags',
  addTag: 'Add tag',
  removeTag: 'Remove tag',
  addTagOf: (name: string) => `Add tag ${name}`,
  removeTagOf: (name: string) => `Remove tag ${name}`,
  takeOut: 'None',
  export: 'Export',
  clearSelection: 'Clear selection',
  selectEvery: (count: string) => `Select all ${count}`,
  expiry: 'Expiry',
  expiryHeading: (count: number) => (count === 1 ? 'When the link ends' : 'When the links end'),
  ends: 'Ends at',
  endsHint: 'Leave it empty for links that never end.',
  domain: 'Domain',
  move: 'Move',
  moveHeading: (count: number) =>
    count === 1 ? 'Move to another domain' : 'Move links to another domain',
  moveHint: 'The short code stays the same. The old short URL still works.',
  save: 'Save',
  undo: 'Undo',
  undone: (count: number, shown: string) =>
    count === 1 ? 'Change undone.' : `Change of ${shown} links undone.`,
  progress: (done: string, total: string) => `${done} of ${total} links are done.`,
  looking: 'Looking for the links…',
  stop: 'Stop',
  stopped: (done: string, total: string) => `Stopped after ${done} of ${total} links.`,
  archived: (count: number, shown: string) =>
    count === 1 ? 'Link archived.' : `${shown} links archived.`,
  unarchived: (count: number, shown: string) =>
    count === 1 ? 'Link unarchived.' : `${shown} links unarchived.`,
  tagged: (count: number, shown: string) =>
    count === 1 ? 'Tag added to the link.' : `Tag added to ${shown} links.`,
  untagged: (count: number, shown: string) =>
    count === 1 ? 'Tag removed from the link.' : `Tag removed from ${shown} links.`,
  inCampaign: (count: number, shown: string) =>
    count === 1 ? 'Link added to the campaign.' : `${shown} links added to the campaign.`,
  inNoCampaign: (count: number, shown: string) =>
    count === 1
      ? 'Link removed from its campaign.'
      : `${shown} links removed from their campaigns.`,
  moved: (count: number, shown: string) => (count === 1 ? 'Link moved.' : `${shown} links moved.`),
  ending: (count: number, shown: string) =>
    count === 1 ? 'The end of the link is set.' : `The end of ${shown} links is set.`,
  endless: (count: number, shown: string) =>
    count === 1 ? 'The link never ends.' : `${shown} links never end.`,
  failed: (count: number, shown: string, reason: string) =>
    count === 1
      ? `One link was not changed: ${reason}`
      : `${shown} links were not changed: ${reason}`,
}

/** The texts about links that were deleted and can be restored. */
export const deletedLinksTexts = {
  heading: 'Deleted links',
  none: 'There are no deleted links that can be restored.',
  restore: 'Restore',
  restoreOf: (name: string) => `Restore ${name}`,
  restored: (name: string) => `Link ${name} restored.`,
  deleted: (when: string) => `Deleted ${when}`,
  keptUntil: (day: string) => `can be restored until ${day}`,
  forget: 'Delete for good',
  forgetAsk: 'Delete this link for good, with its statistics?',
  forgotten: 'Link deleted for good.',
}
