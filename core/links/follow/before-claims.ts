import { ask, refuse } from '../../plugin/outcomes.ts'

/** What is said where a visit would use something up, such as the last visit of a link. Neither says where the link leads. */

/** To a browser that looks ahead, and where somebody only looks. */
export const notShown = refuse(
  'not_shown',
  {
    en: 'This link has a limited number of visits, so it does not show where it leads before you open it.',
    de: 'Dieser Link hat eine begrenzte Zahl von Besuchen. Er zeigt deshalb erst beim Öffnen, wohin er führt.',
    fr: 'Ce lien a un nombre limité de visites : il ne montre où il mène qu’à l’ouverture.',
    es: 'Este enlace tiene un número limitado de visitas, así que solo muestra adónde lleva al abrirlo.',
  },
  403,
)

/** To a robot, which does not press buttons, and which a person with an unusual browser may be taken for. */
export const openFirst = ask(
  {
    en: 'Open this link',
    de: 'Diesen Link öffnen',
    fr: 'Ouvrir ce lien',
    es: 'Abrir este enlace',
  },
  [],
  undefined,
  {
    text: {
      en: 'This link has a limited number of visits. Continuing uses one of them.',
      de: 'Dieser Link hat eine begrenzte Zahl von Besuchen. Weiter verbraucht einen davon.',
      fr: 'Ce lien a un nombre limité de visites. Continuer en utilise une.',
      es: 'Este enlace tiene un número limitado de visitas. Continuar gasta una.',
    },
  },
)

/** Who asks `openFirst`, beside the features that ask something. */
export const opener = ''
