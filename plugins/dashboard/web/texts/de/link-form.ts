import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type {
  codesTexts as englishCodes,
  linkFormTexts as englishForm,
  pathsTexts as englishPaths,
  utmTexts as englishUtm,
} from '../link-form.ts'

export const linkFormTexts = {
  fields: {
    originalUrl: 'Ziel-URL',
    title: 'Titel',
    notes: 'Notizen',
    archived: 'Archiviert',
    archivedHint: 'In der Liste ausgeblendet; der Link funktioniert weiter.',
  },
  main: 'Link',
  sorting: 'Einordnen',
  options: 'Optionen',
  barred: 'Nicht in deinem Tarif',
  barredLead:
    'Das ist in deinem Tarif nicht enthalten. Was schon gesetzt ist, wirkt weiter und lässt sich entfernen.',
  set: 'Gesetzt',
  on: 'An',
  off: 'Aus',
  items: (count: number) => plural(count, '1 Eintrag', `${count} Einträge`),
  rules: (count: number) => plural(count, '1 Regel', `${count} Regeln`),
  submit: 'Link erstellen',
  cancel: 'Abbrechen',
  saveBar: 'Ungespeicherte Änderungen',
  unsaved: 'Es gibt ungespeicherte Änderungen.',
  discard: 'Verwerfen',
  save: 'Änderungen speichern',
  noTags: 'Kein solches Schlagwort.',
  createTag: (name: string) => `Schlagwort „${name}“ erstellen`,
  noCampaigns: 'Keine solche Kampagne.',
  createCampaign: (name: string) => `Kampagne „${name}“ erstellen`,
  defaultDomain: (host: string) => `${host} (diese Instanz)`,
  leaveHeading: 'Ohne Speichern verlassen?',
  leaveWarning: 'Deine Änderungen auf dieser Seite gehen verloren.',
  leave: 'Verlassen',
  stay: 'Bleiben',
  conflictHeading: 'An anderer Stelle geändert',
  conflictLead:
    'Dieser Link wurde während des Bearbeitens von jemand anderem oder in einem anderen Fenster geändert. Von deinen Änderungen ist nichts verloren.',
  conflictDisputed: 'Diese wurden an beiden Stellen geändert. Welche Fassung soll bleiben?',
  conflictTaken: 'Diese wurden nur dort geändert. Sie bleiben, wie sie jetzt sind.',
  conflictNothing: 'Von dem, was dieses Formular zeigt, wurde dort nichts geändert.',
  mine: 'Meine',
  theirs: 'Andere',
  mineIs: 'Meine',
  theirsIs: 'Andere',
  conflictSave: 'Speichern',
  fromNow: 'Ab jetzt',
  endsIn: { 1: 'In 1 Tag', 7: 'In 7 Tagen', 30: 'In 30 Tagen', 365: 'In 1 Jahr' },
} as const satisfies Translated<typeof englishForm>

export const codesTexts = {
  random: 'Leer lassen für einen zufälligen',
  asking: 'Wird geprüft …',
  free: 'Verfügbar.',
  taken: 'Schon vergeben.',
  reserved: 'Von Linnet reserviert.',
  malformed: 'Nur Buchstaben, Ziffern, Binde- und Unterstriche, höchstens 64 Zeichen.',
  use: (code: string) => `${code} verwenden`,
} as const satisfies Translated<typeof englishCodes>

export const utmTexts = {
  templates: 'Vorlagen',
  keep: 'Als Vorlage speichern …',
  remove: (name: string) => `„${name}“ entfernen`,
  name: 'Name der Vorlage',
} as const satisfies Translated<typeof englishUtm>

export const pathsTexts = {
  off: 'Aus',
  append: 'An die Ziel-URL angehängt',
  template: 'In eine Vorlage eingesetzt',
  templateLabel: 'Vorlage',
  templateHint:
    'Ein Pfad auf dem Host der Ziel-URL: {1} ist der erste Teil, {*} alle folgenden, {query.name} ein Parameter, {1|start} hat einen Standardwert.',
  example: 'Zum Beispiel',
} as const satisfies Translated<typeof englishPaths>
