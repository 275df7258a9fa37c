import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { qrTexts as english } from '../qr.ts'

export const qrTexts = {
  shape: 'Modules',
  shapes: { square: 'Carrés', rounded: 'Arrondis', dots: 'Points' },
  eyes: 'Marques des coins',
  eyeShapes: { square: 'Carrées', rounded: 'Arrondies', circle: 'Rondes' },
  upload: 'Importer un logo',
  replace: 'Remplacer le logo',
  remove: 'Retirer le logo',
  removeAsk: 'Retirer votre logo ?',
  removeMeans:
    'Il disparaît des codes QR de tous vos liens. Les codes déjà imprimés fonctionnent toujours.',
  removed: 'Logo retiré.',
  yourLogo: 'Votre logo',
  noImage:
    'Votre navigateur ne peut pas lire ce fichier comme une image. Utilisez un PNG, JPEG, WebP ou SVG.',
  tooLarge: 'Cette image reste trop lourde même réduite. Utilisez-en une plus simple.',
  print: 'Imprimer les codes QR',
  printHeading: (count: number, shown: string) =>
    plural(count, 'Imprimer un code QR', `Imprimer ${shown} codes QR`),
  printLead: 'Un PDF avec les codes tels qu’ils sont pour chaque lien, et l’URL courte en dessous.',
  tooMany: (most: string) =>
    `Une planche contient au plus ${most} codes. Sélectionnez moins de liens.`,
  paper: 'Papier',
  papers: { a4: 'A4', letter: 'Letter' },
  perPage: 'Codes par page',
  download: 'Télécharger le PDF',
} satisfies Translated<typeof english>
