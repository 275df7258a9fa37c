import { readTableLinks } from '../reading/table-links.ts'
import type { Owner } from '../reading/their-hosts.ts'
import type { Source } from '../source.ts'

const owner: Owner = {
  label: 'Firebase',
  isTheirs: host => /\.(page\.link|app\.goo\.gl)$/.test(host),
}

export const firebase: Source = {
  name: 'firebase',
  label: 'Firebase Dynamic Links',
  about: 'Reads a CSV file of a host, from the data of Firebase Dynamic Links in Google Takeout.',
  settings: {},
  file: { endings: ['.csv'] },
  read: asked => readTableLinks(asked, { owner }),
}
