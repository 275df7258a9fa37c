import type { pageLanguages } from '../../plugin/answers/visitor-text.ts'

/** A text of our own, in every language that comes with Linnet. */
export type PageText = Readonly<Record<(typeof pageLanguages)[number], string>>

const headings = {
  closed: {
    en: 'This link is closed to you',
    de: 'Dieser Link ist für dich gesperrt',
    fr: 'Ce lien vous est fermé',
    es: 'Este enlace está cerrado para ti',
  },
  notFound: {
    en: 'No link here',
    de: 'Hier ist kein Link',
    fr: 'Aucun lien ici',
    es: 'Aquí no hay ningún enlace',
  },
  notAllowed: {
    en: 'This does not work here',
    de: 'Das geht hier nicht',
    fr: 'Cela ne fonctionne pas ici',
    es: 'Esto no funciona aquí',
  },
  ended: {
    en: 'No longer available',
    de: 'Nicht mehr verfügbar',
    fr: 'Plus disponible',
    es: 'Ya no disponible',
  },
  unknownHost: {
    en: 'Unknown host',
    de: 'Unbekannter Host',
    fr: 'Hôte inconnu',
    es: 'Host desconocido',
  },
  moment: {
    en: 'A moment, please',
    de: 'Einen Moment, bitte',
    fr: 'Un instant, s’il vous plaît',
    es: 'Un momento, por favor',
  },
  blocked: {
    en: 'This link is blocked',
    de: 'Dieser Link ist blockiert',
    fr: 'Ce lien est bloqué',
    es: 'Este enlace está bloqueado',
  },
  failed: {
    en: 'Something went wrong',
    de: 'Etwas ist schiefgegangen',
    fr: 'Un problème est survenu',
    es: 'Algo ha salido mal',
  },
  notNow: { en: 'Not right now', de: 'Gerade nicht', fr: 'Pas pour le moment', es: 'Ahora no' },
  tooEarly: { en: 'Too early', de: 'Zu früh', fr: 'Trop tôt', es: 'Demasiado pronto' },
  noPreview: {
    en: 'Preview not available',
    de: 'Keine Vorschau',
    fr: 'Aperçu indisponible',
    es: 'Vista previa no disponible',
  },
} as const satisfies Readonly<Record<string, PageText>>

/** The texts of pages themselves; texts of links and plugins come in `VisitorText`. */
export const pageTexts = {
  headings,
  tryAgain: { en: 'Try again', de: 'Noch einmal versuchen', fr: 'Réessayer', es: 'Reintentar' },
  goOn: { en: 'Continue', de: 'Weiter', fr: 'Continuer', es: 'Continuar' },
  noLink: {
    en: 'There is no link at this address. The address may have a typing error, or the link was deleted.',
    de: 'Unter dieser Adresse gibt es keinen Link. Vielleicht enthält sie einen Tippfehler, oder der Link wurde gelöscht.',
    fr: 'Il n’y a pas de lien à cette adresse. Elle contient peut-être une faute de frappe, ou le lien a été supprimé.',
    es: 'No hay ningún enlace en esta dirección. Puede tener una errata, o el enlace se eliminó.',
  },
  ourFault: {
    en: 'This is a fault of this site, not yours. Try again in a minute.',
    de: 'Das liegt an dieser Website und nicht an dir. Versuche es in einer Minute noch einmal.',
    fr: 'Le problème vient de ce site, pas de vous. Réessayez dans une minute.',
    es: 'Es un fallo de este sitio, no tuyo. Inténtalo de nuevo en un minuto.',
  },
  away: {
    en: 'This link cannot be looked up at the moment. Try again in a minute.',
    de: 'Dieser Link kann gerade nicht nachgeschlagen werden. Versuche es in einer Minute noch einmal.',
    fr: 'Ce lien ne peut pas être consulté pour le moment. Réessayez dans une minute.',
    es: 'Este enlace no se puede consultar en este momento. Inténtalo de nuevo en un minuto.',
  },
  onlyOpened: {
    en: 'Links can only be opened.',
    de: 'Links lassen sich nur öffnen.',
    fr: 'Les liens peuvent seulement être ouverts.',
    es: 'Los enlaces solo se pueden abrir.',
  },
  misdirected: {
    en: 'This server does not answer for the host in the address.',
    de: 'Dieser Server ist für den Host in der Adresse nicht zuständig.',
    fr: 'Ce serveur ne répond pas pour l’hôte de l’adresse.',
    es: 'Este servidor no responde por el host de la dirección.',
  },
} as const satisfies Readonly<Record<string, PageText | Readonly<Record<string, PageText>>>>
