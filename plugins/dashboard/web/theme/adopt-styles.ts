/**
 * Apply CSS that is only known at run time, until the function that it gives is called. A `<style>` would
 * need `unsafe-inline` in the Content-Security-Policy; a constructed sheet is made by script alone.
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
