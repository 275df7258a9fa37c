/** Every word about changes of many links at once. */
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
  undone: (count: number) => (count === 1 ? 'Change undone.' : `Change of ${count} links undone.`),
  progress: (done: string, total: string) => `${done} of ${total} links are done.`,
  looking: 'Looking for the links…',
  stop: 'Stop',
  stopped: (done: string, total: string) => `Stopped after ${done} of ${total} links.`,
  archived: (count: number) => (count === 1 ? 'Link archived.' : `${count} links archived.`),
  unarchived: (count: number) => (count === 1 ? 'Link unarchived.' : `${count} links unarchived.`),
  tagged: (count: number) =>
    count === 1 ? 'Tag added to the link.' : `Tag added to ${count} links.`,
  untagged: (count: number) =>
    count === 1 ? 'Tag removed from the link.' : `Tag removed from ${count} links.`,
  inCampaign: (count: number) =>
    count === 1 ? 'Link added to the campaign.' : `${count} links added to the campaign.`,
  inNoCampaign: (count: number) =>
    count === 1
      ? 'Link removed from its campaign.'
      : `${count} links removed from their campaigns.`,
  moved: (count: number) => (count === 1 ? 'Link moved.' : `${count} links moved.`),
  ending: (count: number) =>
    count === 1 ? 'The end of the link is set.' : `The end of ${count} links is set.`,
  endless: (count: number) => (count === 1 ? 'The link never ends.' : `${count} links never end.`),
  failed: (count: number, reason: string) =>
    count === 1
      ? `One link was not changed: ${reason}`
      : `${count} links were not changed: ${reason}`,
}
