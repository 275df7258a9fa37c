import { definePlugin, page, type VisitorText } from '../../core/plugin.ts'
import { nameOf, readable } from './readable-url.ts'

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
        link: { label: goTo(nameOf(url)), url },
      }),
  },
})

function goTo(host: string): VisitorText {
  return { en: `Go to ${host}`, de: `Weiter zu ${host}`, fr: `Aller à ${host}`, es: `Ir a ${host}` }
}
