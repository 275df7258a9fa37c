/** Opens the form for a new link with the address of the page on which it is clicked. */
export function bookmarkletOf(origin: string): string {
  return `javascript:void open('${origin}/dashboard/links/new?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`
}
