import type { Translated } from '../../language/translated.ts'
import type { toolsTexts as english } from '../tools.ts'

export const toolsTexts = {
  heading: 'Von überall kürzen',
  lead: 'Einen Link zur gerade geöffneten Seite erstellen. Zuerst erscheint das Formular, dann entsteht der Link.',
  bookmark: 'Mit Linnet kürzen',
  drag: 'In die Lesezeichenleiste ziehen. Ein Klick darauf öffnet auf jeder Seite das ausgefüllte Formular.',
  notHere:
    'In die Lesezeichenleiste ziehen und dort anklicken, während die Seite offen ist, zu der ein Link entstehen soll.',
  byHand: 'Oder ein Lesezeichen mit dieser URL anlegen:',
  copy: 'Bookmarklet kopieren',
  phone:
    'Auf dem Smartphone diese Seite zum Startbildschirm hinzufügen. Wenn der Browser es unterstützt, lassen sich Seiten dann an Linnet teilen.',
} as const satisfies Translated<typeof english>
