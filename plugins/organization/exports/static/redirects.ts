import type { Format } from './format.ts'

/** `_redirects`, a file that Cloudflare Pages, Netlify and others read: one line for each, with blanks in between. */
export const redirects: Format = {
  separator: '\n',
  line({ path, url, status }) {
    if (/[:*]/.test(path))
      return { problem: 'a colon or a star in a path stands for something else there' }
    if (/\s/.test(url)) return { problem: 'an address with a blank in it cannot stand there' }
    return `${encodeURI(path)} ${url} ${status}`
  },
  files: parts =>
    parts.map(part => ({
      name: `${part.host.replace(/[^\w.-]/g, '_')}/_redirects`,
      pieces: [part, '\n'],
    })),
  readme: `Each folder is a site of its own: deploy it, and give the site the host that the folder is named after. Cloudflare Pages takes 2,000
lines at most.`,
}
