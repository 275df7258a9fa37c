/** Schemes that an address may have besides http and https: those that an operator allows, or `any` that one may allow. */
export type MoreSchemes = readonly string[] | 'any'

/**
 * What no operator can allow: browsers run it, or show by it what is theirs or on the visitor's machine, or systems have run
 * commands by it.
 */
const never: ReadonlySet<string> = new Set([
  ...['javascript', 'jscript', 'livescript', 'mocha', 'vbscript', 'vbs'],
  ...['data', 'blob', 'about', 'view-source', 'feed', 'jar', 'mhtml', 'wyciwyg', 'extension'],
  ...['file', 'filesystem', 'content', 'res', 'resource', 'shell', 'mk', 'its', 'hcp', 'devtools'],
  ...['ms-its', 'ms-help', 'ms-msdt', 'ms-officecmd', 'ms-appinstaller', 'search-ms'],
])

/** Those of browsers' own pages and extensions. */
const ofBrowsers = /^(brave|chrome|edge|moz|ms-browser|opera|safari|vivaldi)(-|$)/

/** RFC 3986, section 3.1. */
const scheme = /^[a-z][a-z\d+.-]{0,63}$/

/** Reads schemes separated by commas, or `none`. Returns a sentence if one is wrong. */
export function parseTargetSchemes(text: string): readonly string[] | string {
  const items = text === 'none' ? [] : text.split(',').map(item => item.trim().toLowerCase())
  for (const item of items) {
    const shown = JSON.stringify(item)
    if (!scheme.test(item) || item === 'none')
      return `${shown} is not a scheme. Enter schemes without a colon, separated by commas, such as mailto,tel,myapp, or none.`
    if (isOfWeb(item))
      return `${shown} is always allowed. Enter only schemes besides http and https.`
    if (isNever(item))
      return `${shown} cannot be allowed, because browsers run or open what follows it. Leave it out.`
  }
  return [...new Set(items)]
}

/** Whether an address has http, https or one of these schemes. It is spelled as the `href` of a URL. */
export function hasScheme(href: string, more: MoreSchemes): boolean {
  const own = href.slice(0, href.indexOf(':'))
  if (isOfWeb(own)) return true
  return !isNever(own) && (more === 'any' || more.includes(own))
}

/**
 * Whether an address is an http or https URL. Visitors may be sent to others, such as `mailto:`, where the operator allows
 * that.
 *
 * @example
 * isWebAddress('mailto:ada@example.org') // false
 */
export function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url)
}

/** How addresses begin that have http, https or one of these schemes, as the end of "The URL must". */
export function asBeginnings(more: MoreSchemes, own: string): string {
  if (more === 'any') return `begin with http:// or https://, and never with ${own}`
  const all = ['http://', 'https://', ...more.map(it => `${it}:`)]
  return `begin with ${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

function isOfWeb(own: string): boolean {
  return own === 'http' || own === 'https'
}

function isNever(own: string): boolean {
  return never.has(own) || ofBrowsers.test(own)
}
