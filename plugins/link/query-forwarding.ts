import { definePlugin, isWebAddress, toggle } from '../../core/plugin.ts'

/** Parameters that Linnet itself uses: the mark of a QR code, and the pass of a page that asks for input. */
const ours = new Set(['qr', 'pass'])

/** The longest address that a link may lead to: programs on the way refuse longer ones. */
const maxLength = 8_192

export default definePlugin({
  feature: 'link.queryForwarding',
  about: "Pass the visitor's query parameters on to the original URL.",
  fields: {
    forwardQuery: toggle({
      label: 'Forward query parameters',
      hint: 'The link’s own parameters are kept.',
    }),
  },
  target({ forwardQuery }) {
    if (!forwardQuery) return
    return ({ query }, address) => {
      // The query of a mailto address is the message, and others are for apps.
      if (!isWebAddress(address)) return address
      const url = new URL(address)
      const own = new Set(url.searchParams.keys())
      const added = [...query].filter(([name]) => !own.has(name) && !ours.has(name))
      if (added.length === 0) return address
      // Appended as text: searchParams would change the spelling of the link's own parameters.
      url.search = [url.search.slice(1), new URLSearchParams(added).toString()]
        .filter(part => part !== '')
        .join('&')
      return url.href.length > maxLength ? address : url.href
    }
  },
})
