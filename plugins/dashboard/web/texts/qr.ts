/** The texts about shapes, logos and sheets of QR codes. */
export const qrTexts = {
  shape: 'Modules',
  shapes: { square: 'Square', rounded: 'Rounded', dots: 'Dots' },
  eyes: 'Corner marks',
  eyeShapes: { square: 'Square', rounded: 'Rounded', circle: 'Circle' },
  upload: 'Upload logo',
  replace: 'Replace logo',
  remove: 'Remove logo',
  removeAsk: 'Remove your logo?',
  removeMeans:
    'It disappears from the QR codes of all your links. Codes that are printed already still work.',
  removed: 'Logo removed.',
  yourLogo: 'Your logo',
  noImage: 'Your browser cannot read this file as an image. Use a PNG, JPEG, WebP or SVG.',
  tooLarge: 'This image stays too large even when it is made smaller. Use a simpler one.',
  print: 'Print QR codes',
  printHeading: (count: number, shown: string) =>
    count === 1 ? 'Print a QR code' : `Print ${shown} QR codes`,
  printLead: 'A PDF with the codes as they look for each link, and the short URL below each.',
  tooMany: (most: string) => `A sheet has at most ${most} codes. Select fewer links.`,
  paper: 'Paper',
  papers: { a4: 'A4', letter: 'Letter' },
  perPage: 'Codes per page',
  download: 'Download PDF',
} as const
