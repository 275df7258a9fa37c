import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type {
  codesTexts as englishCodes,
  linkFormTexts as englishForm,
  pathsTexts as englishPaths,
  utmTexts as englishUtm,
} from '../link-form.ts'

export const linkFormTexts = {
  fields: {
    originalUrl: 'URL de destination',
    title: 'Titre',
    notes: 'Notes',
    archived: 'Archivé',
    archivedHint: 'Absent de la liste ; le lien fonctionne toujours.',
  },
  main: 'Lien',
  sorting: 'Organiser',
  options: 'Options',
  barred: 'Hors de votre formule',
  barredLead:
    'Votre formule ne le comprend pas. Ce qui est déjà réglé continue de fonctionner, et vous pouvez le retirer.',
  set: 'Défini',
  on: 'Oui',
  off: 'Non',
  items: (count: number) => plural(count, `${count} élément`, `${count} éléments`),
  rules: (count: number) => plural(count, `${count} règle`, `${count} règles`),
  submit: 'Créer le lien',
  cancel: 'Annuler',
  saveBar: 'Modifications non enregistrées',
  unsaved: 'Des modifications ne sont pas enregistrées.',
  discard: 'Abandonner',
  save: 'Enregistrer',
  noTags: 'Aucune étiquette de ce nom.',
  createTag: (name: string) => `Créer l’étiquette « ${name} »`,
  noCampaigns: 'Aucune campagne de ce nom.',
  createCampaign: (name: string) => `Créer la campagne « ${name} »`,
  defaultDomain: (host: string) => `${host} (cette instance)`,
  leaveHeading: 'Quitter sans enregistrer ?',
  leaveWarning: 'Vos modifications sur cette page seront perdues.',
  leave: 'Quitter',
  stay: 'Rester',
  conflictHeading: 'Modifié ailleurs',
  conflictLead:
    'Ce lien a été modifié par quelqu’un d’autre, ou dans une autre fenêtre, pendant que vous le modifiiez. Aucune de vos modifications n’est perdue.',
  conflictDisputed: 'Ceci a été modifié des deux côtés. Quelle version garder ?',
  conflictTaken: 'Ceci n’a été modifié que là-bas, et reste comme c’est maintenant.',
  conflictNothing: 'Rien de ce que montre ce formulaire n’y a été modifié.',
  mine: 'La mienne',
  theirs: 'L’autre',
  mineIs: 'La mienne',
  theirsIs: 'L’autre',
  conflictSave: 'Enregistrer',
  fromNow: 'À partir de maintenant',
  endsIn: { 1: 'Dans 1 jour', 7: 'Dans 7 jours', 30: 'Dans 30 jours', 365: 'Dans 1 an' },
} as const satisfies Translated<typeof englishForm>

export const codesTexts = {
  random: 'Laisser vide pour un code au hasard',
  asking: 'Vérification…',
  free: 'Disponible.',
  taken: 'Déjà pris.',
  reserved: 'Réservé par Linnet.',
  malformed:
    'Seulement des lettres, chiffres, traits d’union et tirets bas, 64 caractères au plus.',
  use: (code: string) => `Utiliser ${code}`,
} as const satisfies Translated<typeof englishCodes>

export const utmTexts = {
  templates: 'Modèles',
  keep: 'Enregistrer comme modèle…',
  remove: (name: string) => `Retirer « ${name} »`,
  name: 'Nom du modèle',
} as const satisfies Translated<typeof englishUtm>

export const pathsTexts = {
  off: 'Désactivé',
  append: 'Ajouté à l’URL de destination',
  template: 'Inséré dans un modèle',
  templateLabel: 'Modèle',
  templateHint:
    'Un chemin sur l’hôte de l’URL de destination : {1} est la première partie, {*} toutes les suivantes, {query.name} un paramètre, {1|start} a une valeur par défaut.',
  example: 'Par exemple',
} as const satisfies Translated<typeof englishPaths>
