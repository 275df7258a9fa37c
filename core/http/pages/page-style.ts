import { darkPaper, lightPaper, shadesOf } from './shades.ts'

/** The style of the visitor's pages, in a brand's colour if there is one; small enough to travel in each. */
export function pageStyle(color: string | null): string {
  return color === null ? style : style + inColor(color)
}

function inColor(color: string): string {
  const { fill, onFill, light, dark } = shadesOf(color)
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
