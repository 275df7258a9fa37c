import type { Translated } from '../../language/translated.ts'
import type { toolsTexts as english } from '../tools.ts'

export const toolsTexts = {
  heading: 'Raccourcir de partout',
  lead: 'Créez un lien vers la page que vous lisez. Le formulaire s’affiche avant la création.',
  bookmark: 'Raccourcir avec Linnet',
  drag: 'Glissez ceci dans la barre de favoris. Un clic dessus, sur n’importe quelle page, ouvre le formulaire rempli avec cette page.',
  notHere:
    'Glissez-le dans la barre de favoris, puis cliquez dessus pendant que vous lisez la page à raccourcir.',
  byHand: 'Ou créez un favori avec cette URL :',
  copy: 'Copier le bookmarklet',
  phone:
    'Sur un téléphone, ajoutez cette page à l’écran d’accueil. Si votre navigateur le permet, vous pourrez ensuite partager des pages vers Linnet.',
} as const satisfies Translated<typeof english>
