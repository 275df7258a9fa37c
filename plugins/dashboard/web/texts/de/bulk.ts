import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { bulkTexts as english, deletedLinksTexts as englishOfDeleted } from '../bulk.ts'

export const bulkTexts = {
  selected: (count: string) => `${count} ausgewählt`,
  selection: 'Ausgewählte Links',
  tags: 'Schlagwörter',
  addTag: 'Schlagwort hinzufügen',
  removeTag: 'Schlagwort entfernen',
  addTagOf: (name: string) => `Schlagwort ${name} hinzufügen`,
  removeTagOf: (name: string) => `Schlagwort ${name} entfernen`,
  takeOut: 'Keine',
  export: 'Exportieren',
  clearSelection: 'Auswahl aufheben',
  selectEvery: (count: string) => `Alle ${count} auswählen`,
  expiry: 'Ablauf',
  expiryHeading: (count: number) => plural(count, 'Wann der Link endet', 'Wann die Links enden'),
  ends: 'Endet am',
  endsHint: 'Leer lassen für Links, die nie enden.',
  domain: 'Domain',
  move: 'Verschieben',
  moveHeading: (count: number) =>
    plural(count, 'Auf andere Domain verschieben', 'Links auf andere Domain verschieben'),
  moveHint: 'Der Kurzcode bleibt gleich. Die alte Kurz-URL funktioniert weiter.',
  save: 'Speichern',
  undo: 'Rückgängig',
  undone: (count: number, shown: string) =>
    plural(
      count,
      'Änderung rückgängig gemacht.',
      `Änderung von ${shown} Links rückgängig gemacht.`,
    ),
  progress: (done: string, total: string) => `${done} von ${total} Links sind fertig.`,
  looking: 'Links werden gesucht …',
  stop: 'Anhalten',
  stopped: (done: string, total: string) => `Angehalten nach ${done} von ${total} Links.`,
  archived: (count: number, shown: string) =>
    plural(count, 'Link archiviert.', `${shown} Links archiviert.`),
  unarchived: (count: number, shown: string) =>
    plural(count, 'Link aus dem Archiv geholt.', `${shown} Links aus dem Archiv geholt.`),
  tagged: (count: number, shown: string) =>
    plural(count, 'Der Link hat das Schlagwort.', `${shown} Links haben das Schlagwort.`),
  untagged: (count: number, shown: string) =>
    plural(count, 'Schlagwort vom Link entfernt.', `Schlagwort von ${shown} Links entfernt.`),
  inCampaign: (count: number, shown: string) =>
    plural(count, 'Der Link ist in der Kampagne.', `${shown} Links sind in der Kampagne.`),
  inNoCampaign: (count: number, shown: string) =>
    plural(
      count,
      'Link aus seiner Kampagne genommen.',
      `${shown} Links aus ihren Kampagnen genommen.`,
    ),
  moved: (count: number, shown: string) =>
    plural(count, 'Link verschoben.', `${shown} Links verschoben.`),
  ending: (count: number, shown: string) =>
    plural(count, 'Das Ende des Links ist gesetzt.', `Das Ende von ${shown} Links ist gesetzt.`),
  endless: (count: number, shown: string) =>
    plural(count, 'Der Link endet nie.', `${shown} Links enden nie.`),
  failed: (count: number, shown: string, reason: string) =>
    plural(
      count,
      `Ein Link wurde nicht geändert: ${reason}`,
      `${shown} Links wurden nicht geändert: ${reason}`,
    ),
} satisfies Translated<typeof english>

export const deletedLinksTexts = {
  heading: 'Gelöschte Links',
  none: 'Es gibt keine gelöschten Links, die sich wiederherstellen lassen.',
  restore: 'Wiederherstellen',
  restoreOf: (name: string) => `${name} wiederherstellen`,
  restored: (name: string) => `Link ${name} wiederhergestellt.`,
  deleted: (when: string) => `Gelöscht ${when}`,
  keptUntil: (day: string) => `wiederherstellbar bis ${day}`,
  forget: 'Endgültig löschen',
  forgetAsk: 'Diesen Link mit seiner Statistik endgültig löschen?',
  forgotten: 'Link endgültig gelöscht.',
} satisfies Translated<typeof englishOfDeleted>
