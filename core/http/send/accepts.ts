/** Whether a client wants JSON rather than a page: `Accept`, RFC 9110, section 12.5.1. */
export function prefersJson(accept = ''): boolean {
  // Most clients do not name it.
  if (!/json/i.test(accept)) return false
  const ranges = accept.toLowerCase().split(',').map(readRange)
  const json = Math.max(...ranges.filter(it => isJson(it.type)).map(it => it.quality), 0)
  const html = Math.max(...ranges.filter(it => it.type === 'text/html').map(it => it.quality), 0)
  return json > html
}

function readRange(text: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim())
  const quality = parameters.find(part => part.startsWith('q='))
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
}

function isJson(type: string): boolean {
  return type === 'application/json' || type === 'application/problem+json'
}
