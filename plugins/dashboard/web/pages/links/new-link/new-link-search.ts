/** What the address of the form says: what it begins with, or what came of it. */
export interface NewLinkSearch {
  readonly url?: string | undefined
  readonly title?: string | undefined
  /** The link to begin with the values of. */
  readonly like?: string | undefined
  /** The link that was just made. */
  readonly made?: string | undefined
}

const anAddress = /https?:\/\/\S+/i

/** Read the address: `?url=` of a bookmarklet; phones share what they have as `text`, as often as not. */
export function newLinkSearch(raw: Record<string, unknown>): NewLinkSearch {
  const { url, text, title, like, made } = raw
  return {
    url: textIn(url) ?? anAddress.exec(textIn(text) ?? '')?.[0],
    title: textIn(title)?.slice(0, maxTitle),
    like: textIn(like),
    made: textIn(made),
    ...(text !== undefined && { text: undefined }),
  }
}

const maxTitle = 300

/** What looks like a number is read as one by the router. */
function textIn(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && value !== '' ? String(value) : undefined
}
