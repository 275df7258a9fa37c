import { ask, definePlugin, isWebAddress, toggle, type VisitorText } from '../../core/plugin.ts'
import { nameOf, readable } from './readable-url.ts'

export default definePlugin({
  feature: 'link.confirmation',
  label: 'Page before leaving',
  about: 'Show visitors where a link leads, and let them go on by a button.',
  fields: {
    confirm: toggle({
      label: 'Page before leaving',
      hint: 'Visitors see where the link leads, and go on by a button. With a limited number of visits they do not see where, and the button uses up one.',
    }),
  },
  target({ confirm }) {
    if (!confirm) return
    return (_, url) => {
      const site = { label: { en: 'Website', de: 'Website', fr: 'Site', es: 'Sitio' } }
      const rows = [
        ...(isWebAddress(url) ? [{ ...site, value: nameOf(url) }] : []),
        {
          label: {
            en: 'Whole address',
            de: 'Ganze Adresse',
            fr: 'Adresse complète',
            es: 'Dirección completa',
          },
          value: readable(url),
        },
      ]
      return ask(leadsTo(nameOf(url)), [], undefined, { text, rows })
    }
  },
})

const text: VisitorText = {
  en: 'Check the address before you continue.',
  de: 'Prüfe die Adresse, bevor du weitergehst.',
  fr: 'Vérifiez l’adresse avant de continuer.',
  es: 'Comprueba la dirección antes de continuar.',
}

function leadsTo(host: string): VisitorText {
  return {
    en: `This link leads to ${host}`,
    de: `Dieser Link führt zu ${host}`,
    fr: `Ce lien mène à ${host}`,
    es: `Este enlace lleva a ${host}`,
  }
}
