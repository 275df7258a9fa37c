import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { paletteTexts as english } from '../palette.ts'

export const paletteTexts = {
  title: 'Rechercher des liens, pages et actions',
  placeholder: 'Rechercher des liens, pages et actions…',
  groups: { links: 'Liens', actions: 'Actions', pages: 'Pages', more: 'Plus' },
  none: 'Aucun résultat.',
  looking: 'Recherche…',
  found: (count: number) => plural(count, `${count} résultat.`, `${count} résultats.`),
  makeLink: (address: string) => `Créer un lien vers ${address}`,
  adminPage: (page: string) => `Administration : ${page}`,
  newLink: 'Nouveau lien',
  makeMany: 'Créer plusieurs liens depuis une liste ou un fichier CSV',
  schemes: {
    light: 'Apparence claire',
    dark: 'Apparence sombre',
    auto: 'Apparence du système',
  },
  keysTitle: 'Raccourcis clavier',
  hints: { open: 'pour ouvrir', copy: 'pour copier un lien', close: 'pour fermer' },
  enter: 'Entrée',
  escape: 'Échap',
  keys: {
    everywhere: 'Partout',
    find: 'Rechercher des liens, pages et actions',
    make: 'Nouveau lien',
    help: 'Afficher les raccourcis clavier',
    lists: 'Dans la liste des liens',
    search: 'Rechercher des liens',
    rules: 'Dans les règles de redirection',
    moveRule: 'Monter ou descendre une règle',
    chart: 'Dans le graphique',
    alongChart: 'Parcourir le graphique',
  },
  single: 'Les raccourcis à une seule touche se désactivent dans les paramètres.',
} as const satisfies Translated<typeof english>
