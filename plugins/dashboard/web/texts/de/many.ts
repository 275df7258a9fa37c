import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { manyTexts as english } from '../many.ts'

export const manyTexts = {
  title: 'Viele Links erstellen',
  lead: 'Aus einer Liste von URLs oder einer CSV-Datei. Vor dem Erstellen gibt es eine Vorschau.',
  addresses: 'URLs',
  addressesHint: 'Eine pro Zeile. Ein eigener Kurzcode steht vor der URL.',
  chooseFile: 'CSV-Datei auswählen',
  dropHint: 'Oder hier ablegen. Höchstens 10.000 Zeilen und 5 MiB.',
  toPreview: 'Vorschau',
  nothing: 'Keine URL gefunden.',
  tooMany: (max: string) => `Zu viele Zeilen: bitte in Teile von höchstens ${max} aufteilen.`,
  tooLarge: 'Zu groß: bitte in Teile von höchstens 5 MiB aufteilen.',
  columns: 'Spalten',
  column: (place: number) => `Spalte ${place}`,
  leaveOut: 'Ignorieren',
  targets: {
    original_url: 'Ziel-URL',
    short_code: 'Kurzcode',
    domain: 'Domain',
    title: 'Titel',
    notes: 'Notizen',
    tags: 'Schlagwörter',
    campaign: 'Kampagne',
    expires_at: 'Endet am',
    redirect_status: 'Status der Weiterleitung',
    external_id: 'Externe Kennung',
    redirect_cache_seconds: 'Sekunden, die Browser sie behalten',
    paths: 'Pfade nach dem Kurzcode',
  },
  preview: 'Vorschau',
  rows: 'Zeilen',
  asking: 'Kurzcodes werden geprüft …',
  ready: (ready: number, shown: string, wrong: number, shownWrong: string) =>
    `${plural(ready, '1 Link kann', `${shown} Links können`)} erstellt werden${wrong > 0 ? `, ${shownWrong} nicht` : ''}.`,
  onConflict: 'Wenn ein Kurzcode vergeben ist:',
  onConflicts: { skip: 'Zeile überspringen', other: 'Anderen Code nehmen' },
  onlyWrong: 'Nur Zeilen mit Problemen anzeigen',
  row: 'Zeile',
  state: 'Status',
  ok: 'Bereit',
  random: 'zufällig',
  instead: (code: string) => `Statt ${code}, das vergeben ist`,
  more: (count: number, shown: string) =>
    plural(count, 'Und eine weitere Zeile.', `Und ${shown} weitere Zeilen.`),
  back: 'Zurück',
  make: (count: number, shown: string) =>
    plural(count, '1 Link erstellen', `${shown} Links erstellen`),
  problems: {
    noAddress: 'Diese Zeile hat keine URL.',
    badAddress: (beginnings: string) => `Die URL muss mit ${beginnings} beginnen.`,
    badDate: 'Das Datum muss aussehen wie 2027-03-01 oder 2027-03-01 12:00.',
    twice: 'Eine Zeile davor hat denselben Kurzcode.',
  },
  running: 'Links werden erstellt',
  done: 'Ergebnis',
  progress: 'Erstellte Links',
  soFar: (made: string, total: string, failed: number, shownFailed: string) => {
    const without = plural(failed, '1 Zeile fehlgeschlagen', `${shownFailed} Zeilen fehlgeschlagen`)
    return `${made} von ${total} erstellt${failed === 0 ? '' : `, ${without}`}.`
  },
  stop: 'Anhalten',
  goOn: (left: string) => `Mit den übrigen ${left} fortfahren`,
  saveMade: 'Kurz-URLs herunterladen',
  again: 'Weitere erstellen',
  failures: 'Fehlgeschlagene Zeilen',
  problem: 'Problem',
  saveFailures: 'Diese als CSV herunterladen',
  notSent: 'Vor dieser Zeile angehalten.',
  leaveWarning:
    'Es werden noch Links erstellt. Beim Verlassen bleiben die schon erstellten, und die übrigen werden nicht erstellt.',
} as const satisfies Translated<typeof english>
