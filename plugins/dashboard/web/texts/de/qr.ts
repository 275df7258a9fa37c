import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { qrTexts as english } from '../qr.ts'

export const qrTexts = {
  shape: 'Module',
  shapes: { square: 'Quadrate', rounded: 'Abgerundet', dots: 'Punkte' },
  eyes: 'Eckmarken',
  eyeShapes: { square: 'Quadrate', rounded: 'Abgerundet', circle: 'Kreise' },
  upload: 'Logo hochladen',
  replace: 'Logo ersetzen',
  remove: 'Logo entfernen',
  removeAsk: 'Dein Logo entfernen?',
  removeMeans:
    'Es verschwindet aus den QR-Codes aller deiner Links. Bereits gedruckte Codes funktionieren weiterhin.',
  removed: 'Logo entfernt.',
  yourLogo: 'Dein Logo',
  noImage:
    'Der Browser kann diese Datei nicht als Bild lesen. Es geht mit PNG, JPEG, WebP oder SVG.',
  tooLarge: 'Dieses Bild bleibt auch verkleinert zu groß. Ein einfacheres kann helfen.',
  print: 'QR-Codes drucken',
  printHeading: (count: number, shown: string) =>
    plural(count, 'Einen QR-Code drucken', `${shown} QR-Codes drucken`),
  printLead: 'Ein PDF mit den Codes, wie sie für jeden Link aussehen, und der Kurz-URL darunter.',
  tooMany: (most: string) =>
    `Ein Bogen hat höchstens ${most} Codes. Bitte weniger Links auswählen.`,
  paper: 'Papier',
  papers: { a4: 'A4', letter: 'Letter' },
  perPage: 'Codes pro Seite',
  download: 'PDF herunterladen',
} satisfies Translated<typeof english>
