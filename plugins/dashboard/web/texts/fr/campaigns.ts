import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { campaignsTexts as english } from '../campaigns.ts'

export const campaignsTexts = {
  title: 'Campagnes',
  lead: 'Des liens qui servent un même but, avec leurs statistiques communes.',
  list: 'Vos campagnes',
  create: 'Nouvelle campagne',
  edit: 'Modifier la campagne',
  submit: 'Créer la campagne',
  name: 'Nom',
  description: 'Description',
  startsAt: 'Début',
  endsAt: 'Fin',
  spanHint: 'Pour votre propre vue d’ensemble. Les liens fonctionnent avant et après ces dates.',
  made: (name: string) => `Campagne ${name} créée.`,
  deleted: (name: string) => `Campagne ${name} supprimée.`,
  states: { upcoming: 'À venir', running: 'En cours', ended: 'Terminée' },
  from: (start: string) => `À partir du ${start}`,
  until: (end: string) => `Jusqu’au ${end}`,
  span: (start: string, end: string) => `${start}\u00A0– ${end}`,
  links: (count: number, shown: string) => plural(count, `${shown} lien`, `${shown} liens`),
  visits: (count: number, shown: string) => plural(count, `${shown} visite`, `${shown} visites`),
  linksCount: 'Liens',
  visitsCount: 'Visites',
  perLink: 'Visites par lien',
  when: 'Dates',
  always: 'Sans dates',
  actionsOf: (name: string) => `Actions pour ${name}`,
  showLinks: 'Afficher les liens',
  analytics: 'Statistiques',
  topLinks: 'Liens les plus visités',
  allLinks: 'Tous les liens de cette campagne',
  noLinks:
    'Pas encore de liens dans cette campagne. Choisissez-la en créant ou en modifiant un lien.',
  toLinks: 'Aller à vos liens',
  back: 'Toutes les campagnes',
  deleteHeading: (name: string) => `Supprimer la campagne ${name} ?`,
  deleteWarning: (count: number, shown: string) =>
    count === 0
      ? 'Aucun lien n’est dans cette campagne.'
      : plural(
          count,
          'Son lien reste, avec ses statistiques, mais n’est plus dans une campagne.',
          `Ses ${shown} liens restent, avec leurs statistiques, mais ne sont plus dans une campagne.`,
        ),
  emptyHeading: 'Créez votre première campagne',
  emptyLead:
    'Une campagne regroupe les liens d’un même but, comme un lancement ou une saison, et montre leurs statistiques communes.',
} as const satisfies Translated<typeof english>
