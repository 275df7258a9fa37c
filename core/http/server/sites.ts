import { existsSync } from 'node:fs'
import { finished } from 'node:stream'
import { fileURLToPath } from 'node:url'
import sirv from 'sirv'
import type { Log, Plugin, Site } from '../../plugin.ts'
import { methodNotAllowedPage, notFoundPage } from '../pages/pages.ts'
import type { PageSender } from '../pages/send-page.ts'
import type { Handler } from '../request/split-paths.ts'
import { type Headers, send } from '../send/send.ts'

export interface SiteDeps {
  readonly log: Log
  readonly pageSender: PageSender
}

/**
 * What plugins serve to browsers, as mounts by first path segment. `home` leads to the first site that claims the bare
 * address. A site whose files were never built is left out, with a warning.
 */
export function siteMounts(
  plugins: readonly Plugin[],
  deps: SiteDeps,
): { readonly mounts: Readonly<Record<string, Handler>>; readonly home: Handler | undefined } {
  const sites = plugins.flatMap(({ feature, site }) =>
    site && isBuilt(feature, site, deps.log) ? site : [],
  )
  const home = sites.find(site => site.home)
  return {
    mounts: Object.fromEntries(sites.map(site => [site.path, serveSite(site, deps)])),
    home: home && leadTo(`/${home.path}/`, deps),
  }
}

function isBuilt(feature: string, { path, folder }: Site, log: Log): boolean {
  const isThere = existsSync(new URL('index.html', folder))
  if (!isThere) {
    const where = fileURLToPath(folder)
    log.warn(
      `${feature} has no index.html in ${where}, so there is nothing at /${path}. Run npm run build.`,
    )
  }
  return isThere
}

/** All other paths are views of the page. What is kept for good must not be a page that names the files of today. */
const fileOptions = { single: true, ignores: '^/assets/' }

const served = new WeakMap<Site, ReturnType<typeof sirv>>()

/** The list of files of a site is read once, even if it is later served beside other plugins. */
function filesOf(site: Site): ReturnType<typeof sirv> {
  const files =
    served.get(site) ??
    sirv(fileURLToPath(site.folder), { ...fileOptions, etag: true, gzip: true, brotli: true })
  served.set(site, files)
  return files
}

function serveSite(site: Site, { pageSender, log }: SiteDeps): Handler {
  const mount = `/${site.path}`
  const files = filesOf(site)
  return onlyRead(pageSender, (req, res) => {
    const url = (req.url ?? '').slice(mount.length)
    req.url = url.startsWith('/') ? url : `/${url}`
    // No ranges: the files are small, and a range would be one of the compressed form.
    delete req.headers.range
    for (const [name, value] of Object.entries(siteHeaders(req.url))) res.setHeader(name, value)
    // sirv leaves it to us when a file cannot be opened or read any more, and to close it when the client has left.
    res.once('pipe', file => {
      file.once('error', error => {
        log.warn(`A file of ${mount} could not be read`, { error })
        res.destroy()
      })
      finished(res, () => file.destroy())
    })
    files(req, res, () => pageSender.page(req, res, notFoundPage))
  })
}

/** A redirect that is not cached: the bare address may lead elsewhere tomorrow. */
function leadTo(location: string, { pageSender }: SiteDeps): Handler {
  return onlyRead(pageSender, (_, res) =>
    send(res, 302, { Location: location, 'Cache-Control': 'no-store' }),
  )
}

/** Answers every method but GET and HEAD with a page that says so. */
export function onlyRead(pageSender: PageSender, handle: Handler): Handler {
  return (req, res) => {
    if (req.method === 'GET' || req.method === 'HEAD') return handle(req, res)
    const headers = { Allow: 'GET, HEAD' }
    return pageSender.page(req, res, { ...methodNotAllowedPage, headers })
  }
}

/**
 * Only what comes from this instance may load and run: no inline script, no inline style, no other server. The
 * dashboard shows other sites in a frame, and no other host may.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

const always: Headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

/**
 * Headers for a file of a site, by its path there. Files in `assets/` are named by their content and kept for
 * good; everything else, above all `index.html`, is asked for again each time.
 */
function siteHeaders(path: string): Headers {
  const isKept = path.startsWith('/assets/')
  const cache = isKept ? 'public, max-age=31536000, immutable' : 'no-cache'
  return { ...always, 'Cache-Control': cache }
}
