import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { qrTexts as english } from '../qr.ts'

export const qrTexts = {
  shape: 'Módulos',
  shapes: { square: 'Cuadrados', rounded: 'Redondeados', dots: 'Puntos' },
  eyes: 'Marcas de las esquinas',
  eyeShapes: { square: 'Cuadradas', rounded: 'Redondeadas', circle: 'Circulares' },
  upload: 'Subir logotipo',
  replace: 'Sustituir logotipo',
  remove: 'Quitar logotipo',
  removeAsk: '¿Quitar tu logotipo?',
  removeMeans:
    'Desaparece de los códigos QR de todos tus enlaces. Los códigos ya impresos siguen funcionando.',
  removed: 'Logotipo quitado.',
  yourLogo: 'Tu logotipo',
  noImage: 'Tu navegador no puede leer este archivo como imagen. Usa PNG, JPEG, WebP o SVG.',
  tooLarge: 'Esta imagen sigue siendo demasiado grande aunque se reduzca. Usa una más sencilla.',
  print: 'Imprimir códigos QR',
  printHeading: (count: number, shown: string) =>
    plural(count, 'Imprimir un código QR', `Imprimir ${shown} códigos QR`),
  printLead: 'Un PDF con los códigos tal como son para cada enlace y la URL corta debajo.',
  tooMany: (most: string) =>
    `Una hoja tiene como máximo ${most} códigos. Selecciona menos enlaces.`,
  paper: 'Papel',
  papers: { a4: 'A4', letter: 'Carta' },
  perPage: 'Códigos por página',
  download: 'Descargar PDF',
} satisfies Translated<typeof english>
