export type Scheme = 'light' | 'dark'

type FrameWindow = Window & typeof globalThis

/**
 * Draw a page into an empty frame, in its light or dark look. It is only a picture: nothing in it takes the
 * focus. A frame inherits the policy of the page around it, which refuses `<style>`, so the rules are cut out
 * of the page and put into a constructed stylesheet.
 */
export function drawPage(frame: HTMLIFrameElement, html: string, scheme: Scheme): void {
  const window = frame.contentWindow as FrameWindow | null
  if (!window) return
  const { document } = window
  const [start = '', style = '', end = ''] = html.split(/<\/?style>/)
  const page = new DOMParser().parseFromString(start + end, 'text/html')
  for (const input of page.querySelectorAll('[autofocus]')) input.removeAttribute('autofocus')
  page.body.inert = true
  document.documentElement.lang = page.documentElement.lang
  document.title = page.title
  document.body.replaceWith(document.adoptNode(page.body))
  document.adoptedStyleSheets = [sheetOf(style, scheme, window)]
}

/** The rules of a page for one colour scheme, whatever the system prefers. */
function sheetOf(style: string, scheme: Scheme, window: FrameWindow): CSSStyleSheet {
  const sheet = new window.CSSStyleSheet()
  sheet.replaceSync(style)
  for (const rule of sheet.cssRules) {
    const isOfDark =
      rule instanceof window.CSSMediaRule && rule.conditionText.includes('prefers-color-scheme')
    if (isOfDark) rule.media.mediaText = scheme === 'dark' ? 'all' : 'not all'
  }
  sheet.insertRule(`:root { color-scheme: ${scheme} }`, sheet.cssRules.length)
  return sheet
}
