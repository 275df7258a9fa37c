import {
  isRefusal,
  type Json,
  type MountRequest,
  parseUrl,
  type Refusal,
} from '../../../core/plugin.ts'
import { findLink, type Link, linkIn, statsOf, timestampOf } from './called-link.ts'
import { dbStats, list, shlinkList, stats } from './lists.ts'
import { type Action, needsFormat, type Said } from './said.ts'
import { failedWith } from './written.ts'

/** The version of the API that is spoken here, and that of its tables, which some programs ask for. */
const version = '1.10.4'
const databaseVersion = '507'

/** What the parameter `action` may be. The last four are plugins of YOURLS that programs expect. */
export const actions: Readonly<Record<string, Action>> = {
  shorturl,
  expand,
  'url-stats': urlStats,
  stats,
  'db-stats': dbStats,
  version: tellVersion,
  delete: remove,
  update,
  list,
  'shlink-list': shlinkList,
}

export async function unknownAction(): Promise<Said> {
  return failedWith('error:action', 'Unknown or missing "action" parameter')
}

async function shorturl(
  { input: { url = '', keyword = '', title = '' }, call, caller }: MountRequest,
  { links, settings }: Parameters<Action>[1],
): Promise<Said | Refusal> {
  const owner = await caller('links:write')
  if (isRefusal(owner)) return owner
  const originalUrl = withScheme(url.trim())
  if (!parseUrl(originalUrl)) return noUrl
  if (links.leadsBack(originalUrl)) return failedWith('error:noloop', 'URL is a short URL')
  const name = oneLine(title)
  const wish = { originalUrl, ...(keyword && { shortCode: keyword }), ...(name && { title: name }) }
  const { made, isNew } = await makeUnlessThere(call, wish)
  if (isRefusal(made)) return refusedUrl(made, keyword)
  const shown = {
    keyword: made.shortCode,
    url: made.originalUrl,
    title: made.title ?? made.originalUrl,
  }
  const dated = { ...shown, date: timestampOf(made), ip: '' }
  const short = { title: shown.title, shorturl: made.shortUrl }
  if (!isNew) {
    const withoutScheme = made.shortUrl.replace(/^https?:\/\//, '')
    const message = `${made.originalUrl} already exists in database (short URL: ${withoutScheme})`
    const isFailure = settings.sameUrl === 'fail'
    const codes = isFailure
      ? { status: 'fail', code: 'error:url', statusCode: '400', errorCode: '400' }
      : { status: 'success', code: '', statusCode: '200', errorCode: '' }
    const clicks = `${made.visits.total}`
    const body = { url: { ...dated, clicks }, message, ...short, ...codes }
    return { status: isFailure ? 400 : 200, simple: made.shortUrl, body }
  }
  const codes = { status: 'success', statusCode: '200', code: '', errorCode: '' }
  const body = { url: dated, ...codes, message: `${made.originalUrl} added to database`, ...short }
  return { status: 200, simple: made.shortUrl, body }
}

/** YOURLS has one link for a URL, whatever keyword and title are asked for. */
async function makeUnlessThere(
  call: MountRequest['call'],
  wish: { readonly originalUrl: string } & Readonly<Record<string, Json>>,
): Promise<{ readonly made: Link | Refusal; readonly isNew: boolean }> {
  const plain = { originalUrl: wish.originalUrl, reuse: true }
  const isPlain = Object.keys(wish).length === 1
  const first = await call('POST', isPlain ? '/links' : '/links?dry_run=true', plain)
  if (isPlain || first.status !== 201) return { made: linkIn(first), isNew: first.status === 201 }
  return { made: linkIn(await call('POST', '/links', wish)), isNew: true }
}

function refusedUrl(refusal: Refusal, keyword: string): Said | Refusal {
  const { code, field, status } = refusal
  if (code === 'short_code_taken') {
    const message = `Short URL ${keyword} already exists in database or is reserved`
    return failedWith('error:keyword', message)
  }
  if (status !== 422) return refusal
  const isKeyword = field === 'shortCode' || field === 'short_code'
  return isKeyword ? failedWith('error:keyword', refusal.detail) : noUrl
}

const noUrl = failedWith('error:nourl', 'Missing or malformed URL')

/** People leave out the scheme, and YOURLS adds it. */
function withScheme(url: string): string {
  return url === '' || /^[a-z][a-z\d+.-]*:/i.test(url) ? url : `http://${url}`
}

/** Titles have one line here. */
function oneLine(title: string): string {
  return title
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed()
}

async function expand({ input: { shorturl = '' }, call }: MountRequest): Promise<Said | Refusal> {
  const found = await findLink(call, shorturl)
  if (isRefusal(found)) return notFoundOr(found, shorturl)
  const { shortCode: keyword, shortUrl, originalUrl: longurl, title } = found
  const shown = { keyword, shorturl: shortUrl, longurl, title: title ?? longurl }
  return {
    status: 200,
    simple: longurl,
    body: { ...shown, message: 'success', statusCode: '200' },
  }
}

async function urlStats({ input: { shorturl = '' }, call }: MountRequest) {
  const found = await findLink(call, shorturl)
  if (isRefusal(found)) return notFoundOr(found, shorturl)
  const body = { statusCode: '200', message: 'success', link: statsOf(found) }
  return { status: 200, simple: needsFormat, body }
}

function notFoundOr(refusal: Refusal, keyword: string): Said | Refusal {
  if (refusal.status !== 404) return refusal
  const message = 'Error: short URL not found'
  return {
    status: 404,
    simple: 'not found',
    body: { keyword, message, errorCode: '404', statusCode: '404' },
  }
}

async function tellVersion({ input: { db }, caller }: MountRequest): Promise<Said | Refusal> {
  const owner = await caller('links:read')
  if (isRefusal(owner)) return owner
  const body = { version, ...(db === '1' && { db_version: databaseVersion }) }
  return { status: 200, simple: version, body }
}

/** As the plugin "API Delete" answers: numbers are numbers there. */
async function remove({ input: { shorturl = '' }, call, caller }: MountRequest) {
  const owner = await caller('links:write')
  if (isRefusal(owner)) return owner
  if (shorturl === '') return wrongChange(400, 'error: missing param')
  const found = await findLink(call, shorturl)
  if (isRefusal(found)) return changeRefused(found)
  const { status } = await call('DELETE', `/links/${found.id}`)
  if (status !== 204) return wrongChange(500, 'error: unknown error')
  return changed(`Shorturl ${found.shortCode} deleted`, 'success: deleted')
}

/** As the plugin "API Edit URL" answers. */
async function update({
  input: { shorturl = '', url = '', title = '' },
  call,
  caller,
}: MountRequest) {
  const owner = await caller('links:write')
  if (isRefusal(owner)) return owner
  const name = oneLine(title)
  const change = {
    ...(url && { originalUrl: withScheme(url.trim()) }),
    ...(name && { title: name }),
  }
  if (shorturl === '' || Object.keys(change).length === 0) {
    return wrongChange(400, 'error: missing param')
  }
  const found = await findLink(call, shorturl)
  if (isRefusal(found)) return changeRefused(found)
  const updated = linkIn(await call('PATCH', `/links/${found.id}`, change))
  if (isRefusal(updated)) return changeRefused(updated)
  return changed(
    `Shorturl ${found.shortCode} updated to ${updated.originalUrl}`,
    'success: updated',
  )
}

function changed(simple: string, message: string): Said {
  return { status: 200, simple, body: { statusCode: 200, simple, message } }
}

function changeRefused(refusal: Refusal): Said | Refusal {
  if (refusal.status === 404) return wrongChange(404, 'error: not found')
  return refusal.status === 422 ? wrongChange(400, `error: ${refusal.detail}`) : refusal
}

function wrongChange(status: number, message: string): Said {
  return { status, simple: message, body: { statusCode: status, simple: message, message } }
}
