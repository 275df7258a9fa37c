/**
 * Apply CSS that is known only at run time, until the returned function is called. A `<style>` would need
 * `unsafe-inline` in the Content-Security-Policy; a constructed stylesheet does not.
 */
export function adoptStyles(css: string): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
  return () => {
    const others = document.adoptedStyleSheets.filter(it => it !== sheet)
    document.adoptedStyleSheets = others
  }
}
