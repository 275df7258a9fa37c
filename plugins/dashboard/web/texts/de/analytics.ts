import { plural } from '../../language/plural.ts'
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
    'Linnet speichert nur Summen, nie einzelne Besuche. Deshalb ist bekannt, welche Links diese Besuche hatten und wann, aber nicht, wie zwei Werte zusammenhängen, etwa ein Land und ein Browser.',
  noneMeans:
    'Diese Besuche haben hier keinen Wert: Der Browser hat keinen gesendet, oder jemand wollte nicht verfolgt werden.',
  domain: 'Domain',
  allDomains: 'Alle Domains',
  save: (panel: string) => `${panel} speichern`,
  asCsv: 'Zahlen (CSV)',
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
  live: {
    heading: 'Letzte Minuten',
    in5: (count: number, shown: string) =>
      plural(
        count,
        '1 Besuch in den letzten 5 Minuten',
        `${shown} Besuche in den letzten 5 Minuten`,
      ),
    in30: (shown: string) => `${shown} in 30 Minuten`,
    counted: 'Besuche ohne Bots. Wird alle zehn Sekunden aktualisiert.',
    since: (time: string) => `seit dem Neustart um ${time}`,
  },
  annotations: {
    all: 'Anmerkungen',
    of: (days: string) => `Anmerkungen: ${days}`,
    none: 'Keine Anmerkungen zu diesen Tagen. Alle Diagramme deines Kontos zeigen, was du hinzufügst.',
    add: 'Anmerkung hinzufügen',
    text: 'Was passiert ist',
    day: 'Tag',
    mark: (when: string, said: string) => `Anmerkungen vom ${when}: ${said}`,
    said: (texts: string) => `angemerkt: ${texts}`,
    byClick: 'Klicken, um etwas anzumerken',
    byKey: 'Mit Enter fügst du an dieser Stelle eine Anmerkung hinzu.',
    actionsOf: (text: string) => `Aktionen für ${text}`,
    deleteAsk: 'Diese Anmerkung löschen?',
    deleted: 'Anmerkung gelöscht.',
  },
} as const satisfies Translated<typeof english>
