import { notFoundPage } from '../pages/pages.ts'
import type { PageSender } from '../pages/send-page.ts'
import type { Handler } from '../request/split-paths.ts'
import { type Headers, send } from '../send/send.ts'
import { onlyRead } from './sites.ts'

/** An SVG that is opened by itself runs nothing, loads nothing and has no origin. */
const always: Headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Pages on hosts of accounts show it too.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
}

/** Serve the logo at its path, and nothing at any other. */
export function serveLogo(pageSender: PageSender): Handler {
  return (req, res) => {
    const { logo } = pageSender.theme()
    if (!logo || req.url !== logo.path) return pageSender.page(req, res, notFoundPage)
    const headers = { ...always, 'Content-Type': logo.type }
    return onlyRead(pageSender, () => send(res, 200, headers, logo.bytes))(req, res)
  }
}
