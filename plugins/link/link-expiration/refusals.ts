import { type Refusal, refuse } from '../../../core/plugin.ts'

export const expired = refuse(
  'expired',
  {
    en: 'This link has expired.',
    de: 'Dieser Link ist abgelaufen.',
    fr: 'Ce lien a expiré.',
    es: 'Este enlace ha caducado.',
  },
  410,
)

export const exhausted = refuse(
  'exhausted',
  {
    en: 'This link has reached its maximum number of visits.',
    de: 'Dieser Link hat seine Höchstzahl an Besuchen erreicht.',
    fr: 'Ce lien a atteint son nombre maximal de visites.',
    es: 'Este enlace ha alcanzado su número máximo de visitas.',
  },
  410,
)

/** Says when to come back, in UTC, because the visitor's time zone is unknown. */
export function notStarted(opensAt: Date): Refusal {
  const time = `${opensAt.toISOString().slice(11, 16)} UTC`
  const day = (language: string) =>
    opensAt.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
  return refuse(
    'not_started',
    {
      en: `This link opens on ${day('en-GB')} at ${time}.`,
      de: `Dieser Link ist ab dem ${day('de')} um ${time} erreichbar.`,
      fr: `Ce lien s’ouvrira le ${day('fr').replace(/^1 /, '1er ')} à ${time}.`,
      es: `Este enlace se abrirá el ${day('es')} a las ${time}.`,
    },
    404,
  )
}

export const busy = refuse(
  'unavailable',
  {
    en: 'Many visitors follow this link at the moment. Try again in a few seconds.',
    de: 'Diesem Link folgen gerade viele. Versuche es in ein paar Sekunden noch einmal.',
    fr: 'Beaucoup de monde suit ce lien en ce moment. Réessayez dans quelques secondes.',
    es: 'Muchas personas siguen este enlace en este momento. Inténtalo de nuevo en unos segundos.',
  },
  503,
)
