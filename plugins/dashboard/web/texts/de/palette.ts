import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { paletteTexts as english } from '../palette.ts'

export const paletteTexts = {
  title: 'Links, Seiten und Aktionen suchen',
  placeholder: 'Links, Seiten und Aktionen suchen …',
  groups: { links: 'Links', actions: 'Aktionen', pages: 'Seiten', more: 'Mehr' },
  none: 'Nichts gefunden.',
  looking: 'Wird gesucht …',
  found: (count: number) => plural(count, 'Ein Ergebnis.', `${count} Ergebnisse.`),
  makeLink: (address: string) => `Link zu ${address} erstellen`,
  adminPage: (page: string) => `Verwaltung: ${page}`,
  newLink: 'Neuer Link',
  makeMany: 'Viele Links aus einer Liste oder CSV-Datei erstellen',
  schemes: {
    light: 'Helle Darstellung',
    dark: 'Dunkle Darstellung',
    auto: 'Darstellung wie das System',
  },
  keysTitle: 'Tastenkürzel',
  hints: { open: 'zum Öffnen', copy: 'zum Kopieren eines Links', close: 'zum Schließen' },
  enter: 'Enter',
  escape: 'Esc',
  keys: {
    everywhere: 'Überall',
    find: 'Links, Seiten und Aktionen suchen',
    make: 'Neuer Link',
    help: 'Tastenkürzel anzeigen',
    lists: 'In der Liste der Links',
    search: 'Links durchsuchen',
    rules: 'In Weiterleitungsregeln',
    moveRule: 'Eine Regel nach oben oder unten verschieben',
    chart: 'Im Verlaufsdiagramm',
    alongChart: 'Im Diagramm vor und zurück',
  },
  single: 'Kürzel aus einer einzelnen Taste lassen sich in den Einstellungen ausschalten.',
} as const satisfies Translated<typeof english>
