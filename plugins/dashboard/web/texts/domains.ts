/** The texts of the domains page. */
export const domainsTexts = {
  title: 'Domains',
  lead: 'Your own domains for your links, such as go.example.org.',
  list: 'Your domains',
  create: 'Add domain',
  submit: 'Add domain',
  edit: 'Edit domain',
  editOf: (host: string) => `Edit ${host}`,
  host: 'Domain name',
  hostHint: 'Without https:// and without a path.',
  rootUrl: 'Front page',
  rootUrlHint:
    'Where visitors go who open the domain itself. Leave empty to show a page that says there is no link.',
  notFoundUrl: 'Not found page',
  notFoundUrlHint:
    'Where visitors go whose short code does not exist. Leave empty to show a page that says so.',
  added: (host: string) => `${host} added. Now verify that it is yours.`,
  deleted: (host: string) => `${host} deleted.`,
  verified: 'Verified',
  unverified: 'Not verified',
  nowVerified: (host: string) => `${host} is verified. You can now create links on it.`,
  links: (count: number, shown: string) => (count === 1 ? '1 link' : `${shown} links`),
  leadsTo: (url: string) => `Front page: ${url}`,
  notFoundTo: (url: string) => `Not found: ${url}`,
  actionsOf: (host: string) => `Actions for ${host}`,
  proveHeading: 'Verify that it is yours',
  proveLead:
    'Choose one of the two ways. Once the domain is verified, you can remove the record or file.',
  byDns: 'DNS record',
  byDnsLead: 'Add this record at your DNS provider. It can take an hour until it is visible.',
  type: 'Type',
  recordName: 'Name',
  value: 'Value',
  byFile: 'File',
  byFileLead:
    'Put this text in a file on the web server of the domain. This only works while the domain does not point to Linnet yet.',
  address: 'URL of the file',
  content: 'Content',
  copy: (what: string) => `Copy ${what}`,
  verify: 'Verify now',
  pointHere:
    'Then point the domain to this server with a CNAME, A or AAAA record, and set up a TLS certificate for it.',
  deleteHeading: (host: string) => `Delete ${host}?`,
  deleteWarning: 'Links on this domain stop working.',
  inUse: (count: number, shown: string) =>
    count === 1
      ? 'One link is on this domain. Move it to another domain or delete it first.'
      : `${shown} links are on this domain. Move them to another domain or delete them first.`,
  emptyHeading: 'Use your own domain',
  emptyLead:
    'Links on your own domain show who they come from. Add the domain, verify it by a DNS record or a file, then choose it when you create a link.',
} as const
