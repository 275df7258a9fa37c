import { createHash } from 'node:crypto'
import { escapeHtml } from '../../lib/text/shown.ts'
import { type Brand, brandOf, type LogoType, readLogo } from '../../settings/brand.ts'
import type { SettingsStore } from '../../settings/settings.ts'
import { darkPaper, lightPaper, pageColorsOf } from './page-colors.ts'

/** What the visitor's pages have in common: the brand, worked out once for all of them. */
export interface PageTheme {
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
  /** Depends on the content, so what is at this path never changes. */
  readonly path: string
  readonly type: LogoType
  readonly bytes: Buffer
}

/** The first path segment of the files that pages load. */
export const assets = 'assets'

/**
 * The theme of a brand. The logo is loaded from `origin`, that of the base URL, because on an account's own
 * host every path is a short code.
 */
export function themeOf(brand: Brand, origin: string): PageTheme {
  const logo = brand.logo === null ? undefined : logoFile(brand.logo)
  const url = logo && `${origin}${logo.path}`
  const theme = themeWith(brand, url, logo && origin)
  return { ...theme, ...(logo && { logo }) }
}

/** The theme of the brand that is set, worked out anew when settings change. */
export function watchTheme(settings: SettingsStore, origin: string): () => PageTheme {
  const workOut = () => themeOf(brandOf(settings.read().brand), origin)
  let theme = workOut()
  settings.onChange(() => {
    theme = workOut()
  })
  return () => theme
}

/** The theme of a brand for a page that is not served, with the logo in the page itself. */
export function draftThemeOf(brand: Brand): PageTheme {
  return themeWith(brand, brand.logo ?? undefined)
}

function themeWith({ name, color }: Brand, logoUrl?: string, logoOrigin?: string): PageTheme {
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
 * Only our own style and the logo may load, and nothing may run. There is no `form-action`: browsers apply it to all redirects
 * that follow a form, also to those of the pages that links lead to, which may go on to an app.
 */
function policyOf(style: string, logoOrigin: string | undefined): string {
  const hash = createHash('sha256').update(style).digest('base64')
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src data:${logoOrigin === undefined ? '' : ` ${logoOrigin}`}`,
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

/** The style of the visitor's pages, in a brand's colour if there is one; small enough to travel in each. */
function pageStyle(color: string | null): string {
  return color === null ? style : style + inColor(color)
}

function inColor(color: string): string {
  const { fill, onFill, light, dark } = pageColorsOf(color)
  return `:root { --accent: ${light}; --edge: ${light}; --fill: ${fill}; --on-fill: ${onFill} }
@media (prefers-color-scheme: dark) { :root { --accent: ${dark}; --edge: ${dark} } }
`
}

const style = `
:root { color-scheme: light dark; --paper: ${lightPaper}; --ink: #23262b; --soft: #5d6168; --line: #85817a;
  --field: #fffefb; --accent: #a3343f; --wrong: #a3343f; --edge: var(--ink); --fill: var(--ink); --on-fill: var(--paper) }
@media (prefers-color-scheme: dark) { :root { --paper: ${darkPaper}; --ink: #eceae5; --soft: #a2a6ad;
  --line: #787d86; --field: #1e2125; --accent: #f08b8b; --wrong: #f08b8b } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  padding: 2rem 1.5rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere }
header, main { width: 100%; max-width: 24rem; margin: 0 auto }
header { font-weight: 600 }
header img { display: block; max-width: 12rem; height: 2.5rem; object-fit: contain; object-position: left }
main { margin-block: auto; padding: 2rem 0 8vh }
svg { display: block; height: 3.25rem; margin-bottom: 1.5rem; color: var(--soft) }
.image { display: block; max-width: 100%; max-height: 20rem; margin-bottom: 1.5rem; border-radius: 0.5rem }
svg .warm { color: var(--accent); stroke: var(--accent) }
h1 { margin: 0 0 0.5rem; font: 600 clamp(1.625rem, 1.4rem + 1vw, 2rem)/1.2 ui-serif, "Iowan Old Style", Palatino, Georgia, serif;
  letter-spacing: -0.01em; text-wrap: balance }
p { margin: 0; color: var(--soft); text-wrap: pretty }
form { margin-top: 1.5rem; display: grid; gap: 1rem }
label { display: grid; gap: 0.375rem; font-size: 0.9375rem; font-weight: 500 }
input { width: 100%; min-height: 2.875rem; padding: 0.5rem 0.875rem; border: 1px solid var(--line);
  border-radius: 0.5rem; background: var(--field); color: inherit; font: inherit; font-size: 1.0625rem }
button, .on { min-height: 2.875rem; padding: 0.5rem 1.25rem; border: 1px solid var(--edge); border-radius: 0.5rem;
  background: var(--fill); color: var(--on-fill); font: inherit; font-weight: 600; cursor: pointer }
button:hover, .on:hover { text-decoration: underline; text-underline-offset: 0.2em }
.on { display: grid; place-content: center; margin-top: 1.5rem; text-align: center; text-decoration: none }
.again { display: inline-block; margin-top: 1rem; padding: 0.375rem 0; color: inherit; text-underline-offset: 0.2em }
dl { margin: 1rem 0 0; display: grid; gap: 1rem }
dt { color: var(--soft); font-size: 0.9375rem }
dd { margin: 0 }
.long { max-height: 12rem; overflow-y: auto }
input:focus { border-color: var(--ink); outline: 1px solid var(--ink) }
a:focus-visible, button:focus-visible, .long:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
.problem { color: var(--wrong) }
input[aria-invalid], input[aria-invalid]:focus { border-color: var(--wrong); outline-color: var(--wrong) }
@media (prefers-color-scheme: dark) { header img { height: 3.25rem; padding: 0.375rem 0.625rem;
  border-radius: 0.5rem; background: ${lightPaper}; color: #23262b; color-scheme: only light } }
`
