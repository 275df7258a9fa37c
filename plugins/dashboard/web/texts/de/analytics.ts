import type { Translated } from '../../language/translated.ts'
import type { analyticsTexts as english } from '../analytics.ts'

export const analyticsTexts = {
  topLinks: 'Meistbesuchte Links',
  link: 'Link',
  change: 'Änderung',
  isNew: 'neu',
  showLinks: 'Alle anzeigen',
  valueOf: (dimension: string, value: string) => `${dimension}: ${value}`,
  overTime: 'Verlauf',
  itsLinks: 'Links',
  limits:
    'Linnet speichert Summen, nie einzelne Besuche. Deshalb ist bekannt, welche Links diese Besuche betrafen und wann. Ob dieselben Besucher zwei Werte teilen, etwa ein Land und einen Browser, ist nicht bekannt: Das hat niemand aufgezeichnet.',
  noneMeans:
    'Diese Besuche haben hier keinen Wert: Der Browser hat keinen gesendet, oder jemand wollte nicht verfolgt werden.',
  domain: 'Domain',
  allDomains: 'Alle Domains',
  save: (panel: string) => `${panel} speichern`,
  asCsv: 'CSV',
  asSvg: 'Bild (SVG)',
  asPng: 'Bild (PNG)',
  share: 'Teilen',
  publicPage: 'Öffentliche Seite',
  publicLead:
    'Wer die geheime Adresse kennt, sieht diese Zahlen, auch ohne Konto. Die Seite nennt kein Konto, kein Schlagwort, keine Kampagne und keine Weiterleitungsregel.',
  publish: 'Öffentliche Seite erstellen',
  address: 'Geheime Adresse',
  copyAddress: 'Geheime Adresse kopieren',
  isOpen: 'Seite ist offen',
  isOpenHint: 'Ausgeschaltet zeigt die Adresse nichts, bis du sie wieder einschaltest.',
  heading: 'Überschrift',
  headingHint: 'Alle mit der Adresse lesen sie. Leer lassen für keine.',
  revoke: 'Widerrufen',
  revokeAsk: 'Diese Seite widerrufen?',
  revokeMeans:
    'Ihre Adresse funktioniert dann endgültig nicht mehr. Eine neue Seite bekommt eine neue Adresse.',
  openPage: 'Seite öffnen',
} as const satisfies Translated<typeof english>
