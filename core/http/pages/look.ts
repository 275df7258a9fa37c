import { createHash } from 'node:crypto'
import { escapeHtml } from '../../lib/escape-html.ts'
import { type Brand, brandOf, type LogoType, readLogo } from '../../settings/brand.ts'
import type { SettingsStore } from '../../settings/settings.ts'
import { pageStyle } from './page-style.ts'

/** What the visitor's pages have in common: the brand, worked out once for all of them. */
export interface Look {
  readonly name: string | null
  readonly style: string
  /** The brand as it stands above each page, as HTML; empty when there is none. */
  readonly header: string
  /** Address of the icon. */
  readonly icon: string
  readonly contentSecurityPolicy: string
  readonly logo?: LogoFile
}

/** The logo as it is served. */
export interface LogoFile {
  /** Tells the content: it never changes under its path. */
  readonly path: string
  readonly type: LogoType
  readonly bytes: Buffer
}

/** The first path segment of the files that pages load. */
export const assets = 'assets'

/**
 * What a brand makes of the pages. The logo is loaded from `origin`, the base URL's: on an account's own
 * host every path is a short code.
 */
export function lookOf(brand: Brand, origin: string): Look {
  const logo = brand.logo === null ? undefined : logoFile(brand.logo)
  const look = lookWith(brand, logo && `${origin}${logo.path}`, logo && origin)
  return { ...look, ...(logo && { logo }) }
}

/** How pages look with the brand as it is set: worked out anew when settings change. */
export function watchLook(settings: SettingsStore, origin: string): () => Look {
  const workOut = () => lookOf(brandOf(settings.read().brand), origin)
  let look = workOut()
  settings.onChange(() => {
    look = workOut()
  })
  return () => look
}

/** What a brand would make of a page that nobody serves: the logo is in the page itself. */
export function draftLookOf(brand: Brand): Look {
  return lookWith(brand, brand.logo ?? undefined)
}

function lookWith({ name, color }: Brand, logoUrl?: string, logoOrigin?: string): Look {
  const style = pageStyle(color)
  const src = logoUrl && escapeHtml(logoUrl)
  return {
    name,
    style,
    header: headerOf(name, src),
    icon: src ?? 'data:,',
    contentSecurityPolicy: policyOf(style, logoOrigin),
  }
}

function headerOf(name: string | null, src: string | undefined): string {
  if (src !== undefined)
    return `<header><img src="${src}" alt="${escapeHtml(name ?? '')}"></header>`
  return name === null ? '' : `<header>${escapeHtml(name)}</header>`
}

/**
 * Nothing but our own style and the logo may load and nothing may run. Forms may lead anywhere: browsers
 * hold `form-action` against the redirect that follows, and that one leaves for the link's address.
 */
function policyOf(style: string, logoOrigin: string | undefined): string {
  const hash = createHash('sha256').update(style).digest('base64')
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src data:${logoOrigin === undefined ? '' : ` ${logoOrigin}`}`,
    'form-action http: https:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const extensions: Readonly<Record<LogoType, string>> = {
  'image/png': 'png',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
}

function logoFile(dataUri: string): LogoFile | undefined {
  const logo = readLogo(dataUri)
  if (!logo) return undefined
  const hash = createHash('sha256').update(logo.bytes).digest('hex').slice(0, 16)
  return { ...logo, path: `/${assets}/logo-${hash}.${extensions[logo.type]}` }
}
