/** The texts about saved searches. */
export const savedSearchTexts = {
  heading: 'Save this search',
  name: 'Name',
  save: 'Save',
  saveThis: 'Save this search…',
  saved: (name: string) => `Search saved as ${name}.`,
  none: 'Search or filter your links, and save the search here.',
  deleteThis: (name: string) => `Delete ${name}`,
  deleted: (name: string) => `Search ${name} deleted.`,
}
