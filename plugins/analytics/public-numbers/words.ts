/** The words of a page of numbers. */
export interface Words {
  readonly visits: string
  readonly share: string
  readonly previously: string
  readonly undated: string
  readonly period: string
  readonly days: string
  readonly foot: string
  readonly spans: Readonly<Record<'24h' | '7d' | '30d' | '90d' | '12mo', string>>
  /** The labels of our dimensions. Those of other plugins have labels of their own. */
  readonly labels: Readonly<Record<string, string>>
  /** The labels of visits without a value, by the English label. */
  readonly none: Readonly<Record<string, string>>
  /** The label of all values that are not counted separately. */
  readonly other: string
  readonly devices: Readonly<Record<string, string>>
}

const en: Words = {
  visits: 'Visits',
  share: 'Share',
  previously: 'previously {}',
  undated: 'and {} without a date',
  period: 'Period',
  days: 'days in UTC',
  foot: 'Only totals are stored, and nothing about who visited.',
  spans: {
    '24h': '24 hours',
    '7d': '7 days',
    '30d': '30 days',
    '90d': '90 days',
    '12mo': '12 months',
  },
  labels: {},
  none: {},
  other: 'Other',
  devices: {},
}

const de: Words = {
  visits: 'Besuche',
  share: 'Anteil',
  previously: 'zuvor {}',
  undated: 'dazu {} ohne Datum',
  period: 'Zeitraum',
  days: 'Tage in UTC',
  foot: 'Von Besuchen werden nur Summen gespeichert, und nichts darüber, wer kam.',
  spans: {
    '24h': '24 Stunden',
    '7d': '7 Tage',
    '30d': '30 Tage',
    '90d': '90 Tage',
    '12mo': '12 Monate',
  },
  labels: {
    visits: 'Besuche',
    bots: 'Bots',
    uniqueVisitors: 'Besucher pro Tag',
    visitsFromQrCodes: 'Besuche über QR-Codes',
    visitsOverTime: 'Besuche im Zeitverlauf',
    visitsByBrowser: 'Browser',
    visitsByOperatingSystem: 'Betriebssystem',
    visitsByDeviceType: 'Gerätetyp',
    visitsByLanguage: 'Sprache',
    visitsByCountry: 'Land',
    visitsByCity: 'Stadt',
    visitsByReferer: 'Herkunftsseite',
    utmSource: 'UTM-Quelle',
    utmMedium: 'UTM-Medium',
    utmCampaign: 'UTM-Kampagne',
    utmTerm: 'UTM-Begriff',
    utmContent: 'UTM-Inhalt',
  },
  none: { 'Direct / unknown': 'Direkt / unbekannt', Unknown: 'Unbekannt', None: 'Keine' },
  other: 'Anderes',
  devices: { desktop: 'Computer', mobile: 'Smartphone', tablet: 'Tablet', other: 'Anderes' },
}

const fr: Words = {
  visits: 'Visites',
  share: 'Part',
  previously: 'auparavant {}',
  undated: 'et {} sans date',
  period: 'Période',
  days: 'jours UTC',
  foot: 'Seules des sommes de visites sont conservées, et rien qui dise qui est venu.',
  spans: {
    '24h': '24 heures',
    '7d': '7 jours',
    '30d': '30 jours',
    '90d': '90 jours',
    '12mo': '12 mois',
  },
  labels: {
    visits: 'Visites',
    bots: 'Robots',
    uniqueVisitors: 'Visiteurs par jour',
    visitsFromQrCodes: 'Visites par codes QR',
    visitsOverTime: 'Visites dans le temps',
    visitsByBrowser: 'Navigateur',
    visitsByOperatingSystem: 'Système d’exploitation',
    visitsByDeviceType: 'Type d’appareil',
    visitsByLanguage: 'Langue',
    visitsByCountry: 'Pays',
    visitsByCity: 'Ville',
    visitsByReferer: 'Site d’origine',
    utmSource: 'Source UTM',
    utmMedium: 'Support UTM',
    utmCampaign: 'Campagne UTM',
    utmTerm: 'Terme UTM',
    utmContent: 'Contenu UTM',
  },
  none: { 'Direct / unknown': 'Direct / inconnu', Unknown: 'Inconnu', None: 'Aucune' },
  other: 'Autre',
  devices: { desktop: 'Ordinateur', mobile: 'Mobile', tablet: 'Tablette', other: 'Autre' },
}

const es: Words = {
  visits: 'Visitas',
  share: 'Parte',
  previously: 'antes {}',
  undated: 'y {} sin fecha',
  period: 'Período',
  days: 'días UTC',
  foot: 'De las visitas solo se guardan sumas, y nada que diga quién vino.',
  spans: {
    '24h': '24 horas',
    '7d': '7 días',
    '30d': '30 días',
    '90d': '90 días',
    '12mo': '12 meses',
  },
  labels: {
    visits: 'Visitas',
    bots: 'Bots',
    uniqueVisitors: 'Visitantes por día',
    visitsFromQrCodes: 'Visitas por códigos QR',
    visitsOverTime: 'Visitas en el tiempo',
    visitsByBrowser: 'Navegador',
    visitsByOperatingSystem: 'Sistema operativo',
    visitsByDeviceType: 'Tipo de dispositivo',
    visitsByLanguage: 'Idioma',
    visitsByCountry: 'País',
    visitsByCity: 'Ciudad',
    visitsByReferer: 'Sitio de origen',
    utmSource: 'Fuente UTM',
    utmMedium: 'Medio UTM',
    utmCampaign: 'Campaña UTM',
    utmTerm: 'Término UTM',
    utmContent: 'Contenido UTM',
  },
  none: { 'Direct / unknown': 'Directo / desconocido', Unknown: 'Desconocido', None: 'Ninguno' },
  other: 'Otro',
  devices: { desktop: 'Ordenador', mobile: 'Móvil', tablet: 'Tableta', other: 'Otro' },
}

const languages = { en, de, fr, es } as const

export type PageLanguage = keyof typeof languages

/** The language of the page for a visitor who prefers one such as `de-AT`; English if there are no words for it. */
export function pageLanguage(preferred: string): PageLanguage {
  const [primary = ''] = preferred.toLowerCase().split('-')
  return Object.hasOwn(languages, primary) ? (primary as PageLanguage) : 'en'
}

export function wordsOf(language: PageLanguage): Words {
  return languages[language]
}
