import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { analyticsTexts as english } from '../analytics.ts'

export const analyticsTexts = {
  topLinks: 'Liens les plus visités',
  link: 'Lien',
  change: 'Évolution',
  isNew: 'nouveau',
  showLinks: 'Tout afficher',
  valueOf: (dimension: string, value: string) => `${dimension} : ${value}`,
  overTime: 'Au fil du temps',
  itsLinks: 'Liens',
  limits:
    'Linnet ne conserve que des totaux, jamais de visites isolées. On sait donc quels liens ont eu ces visites, et quand, mais pas comment deux valeurs se combinent, comme un pays et un navigateur.',
  noneMeans:
    'Ces visites n’ont pas de valeur ici : le navigateur n’en a pas envoyé, ou le visiteur a demandé à ne pas être suivi.',
  domain: 'Domaine',
  allDomains: 'Tous les domaines',
  save: (panel: string) => `Enregistrer ${panel}`,
  asCsv: 'Chiffres (CSV)',
  asSvg: 'Image (SVG)',
  asPng: 'Image (PNG)',
  share: 'Partager',
  publicPage: 'Page publique',
  publicLead:
    'Toute personne qui a l’adresse secrète voit ces chiffres, sans compte. La page ne nomme ni compte, ni étiquette, ni campagne, ni règle de redirection.',
  publish: 'Créer la page publique',
  address: 'Adresse secrète',
  copyAddress: 'Copier l’adresse secrète',
  isOpen: 'La page est ouverte',
  isOpenHint: 'Désactivée, l’adresse ne montre rien jusqu’à ce que vous la réactiviez.',
  heading: 'Titre',
  headingHint: 'Visible pour qui a l’adresse. Laisser vide pour n’en mettre aucun.',
  revoke: 'Révoquer',
  revokeAsk: 'Révoquer cette page ?',
  revokeMeans:
    'Son adresse cesse définitivement de fonctionner. Une nouvelle page reçoit une nouvelle adresse.',
  openPage: 'Ouvrir la page',
  live: {
    heading: 'Dernières minutes',
    in5: (count: number, shown: string) =>
      plural(count, `${shown} visite en 5 minutes`, `${shown} visites en 5 minutes`),
    in30: (shown: string) => `${shown} en 30 minutes`,
    counted: 'Visites sans les robots. Actualisé toutes les dix secondes.',
    since: (time: string) => `depuis le redémarrage à ${time}`,
  },
  annotations: {
    all: 'Annotations',
    of: (days: string) => `Annotations : ${days}`,
    none: 'Aucune annotation pour ces jours. Celles que vous ajoutez apparaissent dans tous les graphiques de votre compte.',
    add: 'Ajouter une annotation',
    text: 'Ce qui s’est passé',
    day: 'Jour',
    mark: (when: string, said: string) => `Annotations du ${when} : ${said}`,
    said: (texts: string) => `annoté : ${texts}`,
    byClick: 'Cliquer pour annoter',
    byKey: 'Appuyez sur Entrée pour annoter ce point.',
    actionsOf: (text: string) => `Actions pour ${text}`,
    deleteAsk: 'Supprimer cette annotation ?',
    deleted: 'Annotation supprimée.',
  },
} as const satisfies Translated<typeof english>
