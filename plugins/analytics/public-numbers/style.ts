/** The style of the page, in light and dark. */
export const style = `
:root{--page:#f7f5f0;--surface:#fff;--text:#22242a;--soft:#5f6368;--line:#e2ded4;--accent:#9a2636;--bar:#9a263621}
@media(prefers-color-scheme:dark){:root{--page:#17191c;--surface:#1f2226;--text:#e8e6e1;--soft:#a3a6ab;--line:#33373d;--accent:#f08a96;--bar:#f08a9633}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:2rem 1rem}
h1{margin:0;font-size:1.75rem;overflow-wrap:anywhere}
h2{margin:0 0 .5rem;font-size:1rem}
.brand{margin:0 0 1.5rem;font-weight:600}
.brand img{display:block;max-width:12rem;height:2.5rem;object-fit:contain;object-position:left}
.lead,.foot,.note{color:var(--soft);font-size:.875rem;margin:0}
.foot{margin-top:1.5rem}
nav{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}
nav a{padding:.25rem .75rem;border:1px solid var(--line);border-radius:1rem;color:inherit;text-decoration:none;font-size:.875rem;background:var(--surface)}
nav a[aria-current]{border-color:var(--accent);color:var(--accent);font-weight:600}
nav a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,10rem),1fr));gap:1rem;margin:0 0 1rem}
dl>div,section{background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.25rem}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0;font-size:1.75rem;font-weight:650;font-variant-numeric:tabular-nums}
dd.note{font-size:.875rem;font-weight:400}
dd.note:empty{display:none}
section{margin-bottom:1rem;break-inside:avoid}
.tables{columns:2;column-gap:1rem}
table{width:100%;border-spacing:0 .25rem;table-layout:fixed;font-size:.875rem}
thead th,td{width:4rem;text-align:end;font-variant-numeric:tabular-nums}
thead{color:var(--soft);font-size:.75rem}
thead td{width:auto}
thead th{font-weight:500}
tbody th{position:relative;padding:.25rem .5rem;font-weight:400;text-align:start}
tbody span{position:absolute;inset:0 auto 0 0;border-radius:.25rem;background:var(--bar)}
tbody b{position:relative;display:block;font-weight:400;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
svg{display:block;width:100%;height:auto;overflow:visible}
svg line{stroke:var(--line)}
svg polyline{fill:none;stroke:var(--accent);stroke-width:2.5;stroke-linejoin:round}
svg polygon{fill:var(--bar)}
svg text{fill:var(--soft);font-size:13px}
svg rect{fill:transparent}
svg rect:hover{fill:var(--bar)}
@media(max-width:40rem){.tables{columns:1}}
@media(forced-colors:active){tbody span{border:1px solid}nav a[aria-current]{outline:2px solid}}
`
