import { definePlugin, page, type VisitorText } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'link.linkPreview',
  about: 'Show where a link leads, without going there, when a plus sign follows its short code.',
  views: {
    '+': ({ link }, url, { links }) =>
      page({
        heading: {
          en: 'Where this link leads',
          de: 'Wohin dieser Link führt',
          fr: 'Où mène ce lien',
          es: 'Adónde lleva este enlace',
        },
        rows: [
          {
            label: { en: 'Short link', de: 'Kurzlink', fr: 'Lien court', es: 'Enlace corto' },
            value: links.shortUrl(link),
          },
          {
            label: { en: 'Leads to', de: 'Führt zu', fr: 'Mène à', es: 'Lleva a' },
            value: readable(url),
          },
        ],
        link: { label: goTo(new URL(url).host), url },
      }),
  },
})

function goTo(host: string): VisitorText {
  return { en: `Go to ${host}`, de: `Weiter zu ${host}`, fr: `Aller à ${host}`, es: `Ir a ${host}` }
}

/**
 * Decodes letters, numerals and their marks in all scripts: `/%D9%85` -> `/م`. Everything else stays escaped, and so
 * does the host, because they could make a URL look like another one.
 */
function readable(url: string): string {
  return url.replace(/(?:%[89a-f][\da-f])+/gi, escapes => {
    try {
      return decodeURIComponent(escapes).replace(/[^\p{L}\p{M}\p{N}]+/gu, encodeURIComponent)
    } catch {
      // Not UTF-8.
      return escapes
    }
  })
}
