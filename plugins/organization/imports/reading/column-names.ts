/**
 * What a column of a table of links can have, with the names that programs and people give such columns, in small letters and digits
 * alone, what says most first. The source `csv` reads it on the server and *Create many* of the dashboard in browsers, so this file
 * imports nothing.
 */
const names = {
  originalUrl: [
    ...['originalurl', 'longurl', 'destinationurl', 'destination', 'targeturl', 'target'],
    ...['originallink', 'longlink', 'deeplinklink', 'deeplink', 'redirectto', 'url', 'link'],
    ...['address', 'to'],
  ],
  shortUrl: ['shorturl', 'shortlink', 'short', 'bitlink', 'link', 'url'],
  customUrl: ['customlink', 'custombitlink', 'custombitlinks'],
  code: [
    ...['shortcode', 'code', 'slug', 'customslug', 'key', 'alias', 'keyword', 'backhalf'],
    ...['custombackhalf', 'slashtag', 'shortid', 'path', 'source', 'address'],
  ],
  host: ['domain', 'host', 'hostname', 'domainname'],
  title: ['title', 'linktitle', 'linkname', 'name'],
  notes: ['notes', 'note', 'description', 'comment', 'comments'],
  tags: ['tags', 'tag', 'labels'],
  campaign: ['campaign'],
  visits: ['visits', 'totalvisits', 'visitcount', 'clicks', 'totalclicks', 'clickcount', 'hits'],
  lastVisitAt: ['lastvisitat', 'lastvisit', 'lastclicked', 'lastclickat', 'lastclick'],
  createdAt: [
    ...['createdat', 'created', 'datecreated', 'createddate', 'creationdate'],
    ...['creationtimestamp', 'timestamp', 'date'],
  ],
  updatedAt: ['updatedat', 'updated', 'dateupdated', 'modifiedat', 'modified', 'lastmodified'],
  startsAt: ['startsat', 'validsince'],
  expiresAt: [
    ...['expiresat', 'expires', 'expirein', 'expiry', 'expirytime', 'expirydate', 'expiration'],
    ...['expirationdate', 'validuntil', 'endsat', 'ends'],
  ],
  expiredUrl: ['expiredurl'],
  maxVisits: ['maxvisits', 'clickslimit'],
  password: ['password'],
  isArchived: ['archived', 'isarchived', 'status'],
  owner: ['owneremail', 'owner', 'email'],
  id: ['linkid', 'id'],
  ios: ['iosurl', 'iphoneurl', 'ios', 'iosfallbacklinkifl', 'iosfallbacklink', 'ifl'],
  ipad: ['ipadfallbacklinkipfl', 'ipadfallbacklink', 'ipfl'],
  android: ['androidurl', 'android', 'androidfallbacklinkafl', 'androidfallbacklink', 'afl'],
  desktop: ['desktopfallbacklinkofl', 'desktopfallbacklink', 'ofl'],
  utmSource: ['utmsource'],
  utmMedium: ['utmmedium'],
  utmCampaign: ['utmcampaign'],
  utmTerm: ['utmterm'],
  utmContent: ['utmcontent'],
  redirectStatus: [
    ...['redirectstatus', 'redirecttype', 'redirectcode', 'statuscode', 'httpstatus'],
  ],
  redirectCacheSeconds: ['redirectcacheseconds'],
  paths: ['paths'],
  externalId: ['externalid'],
  forwardQuery: ['forwardquery'],
  confirm: ['confirm'],
  crawlable: ['crawlable'],
  hasPassword: ['haspassword'],
  hasRules: ['hasrules'],
} as const satisfies Record<string, readonly string[]>

/** What a column can have. */
export type Target = keyof typeof names

export const targets = Object.keys(names) as readonly Target[]

/** Which of these the columns with these names have, by their places from 0. A column has one of them only; `taken` are known already. */
export function findColumns(
  head: readonly string[],
  wanted: readonly string[],
  taken: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const plain = head.map(reduced)
  const columns = { ...taken }
  const isFree = (index: number) => !Object.values(columns).includes(index)
  for (const target of wanted.filter(it => columns[it] === undefined)) {
    for (const name of namesOf(target)) {
      const index = plain.findIndex((it, at) => it === name && isFree(at))
      if (index === -1) continue
      columns[target] = index
      break
    }
  }
  return columns
}

/** A field of a plugin that is not in the list has its own name. */
function namesOf(target: string): readonly string[] {
  return Object.hasOwn(names, target) ? names[target as Target] : [reduced(target)]
}

function reduced(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
