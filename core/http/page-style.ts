import { createHash } from 'node:crypto'

/** The style of the visitor's pages; small enough to travel inside each of them. */
export const pageStyle = `
:root { color-scheme: light dark; --paper: #f7f5f0; --ink: #23262b; --soft: #62666d; --line: #8f8b82;
  --field: #fffefb; --accent: #a3343f }
@media (prefers-color-scheme: dark) { :root { --paper: #17191c; --ink: #eceae5; --soft: #a2a6ad;
  --line: #6d727a; --field: #1e2125; --accent: #f08b8b } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; align-items: center;
  padding: 2.5rem 1.5rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere }
main { width: 100%; max-width: 24rem; margin: 0 auto; padding-bottom: 8vh }
svg { display: block; height: 3.25rem; margin-bottom: 1.5rem; color: var(--soft) }
svg .warm { color: var(--accent) }
h1 { margin: 0 0 0.5rem; font: 600 clamp(1.625rem, 1.4rem + 1vw, 2rem)/1.2 ui-serif, "Iowan Old Style", Palatino, Georgia, serif;
  letter-spacing: -0.01em; text-wrap: balance }
p { margin: 0; color: var(--soft); text-wrap: pretty }
form { margin-top: 1.5rem; display: grid; gap: 1rem }
label { display: grid; gap: 0.375rem; font-size: 0.9375rem; font-weight: 500 }
input { width: 100%; min-height: 2.875rem; padding: 0.5rem 0.875rem; border: 1px solid var(--line);
  border-radius: 0.5rem; background: var(--field); color: inherit; font: inherit; font-size: 1.0625rem }
button, .on { min-height: 2.875rem; padding: 0.5rem 1.25rem; border: 0; border-radius: 0.5rem;
  background: var(--ink); color: var(--paper); font: inherit; font-weight: 600; cursor: pointer }
button:hover, .on:hover { opacity: 0.88 }
.on { display: grid; place-content: center; margin-top: 1.5rem; text-align: center; text-decoration: none }
dl { margin: 1rem 0 0; display: grid; gap: 1rem }
dt { color: var(--soft); font-size: 0.9375rem }
dd { margin: 0; max-height: 12rem; overflow-y: auto }
input:focus { border-color: var(--ink); outline: 1px solid var(--ink) }
button:focus-visible, .on:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
.problem { color: var(--accent) }
input[aria-invalid], input[aria-invalid]:focus { border-color: var(--accent); outline-color: var(--accent) }
`

const styleHash = createHash('sha256').update(pageStyle).digest('base64')

/**
 * Nothing but our own style may load and nothing may run. Forms may lead anywhere: browsers hold
 * `form-action` against the redirect that follows, and that one leaves for the link's address.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  'form-action http: https:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
