import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { bulkTexts as english, deletedLinksTexts as englishOfDeleted } from '../bulk.ts'

export const bulkTexts = {
  selected: (count: string) => `Sélection : ${count}`,
  selection: 'Liens sélectionnés',
  tags: 'Étiquettes',
  addTag: 'Ajouter une étiquette',
  removeTag: 'Retirer une étiquette',
  addTagOf: (name: string) => `Ajouter l’étiquette ${name}`,
  removeTagOf: (name: string) => `Retirer l’étiquette ${name}`,
  takeOut: 'Aucune',
  export: 'Exporter',
  clearSelection: 'Effacer la sélection',
  selectEvery: (count: string) => `Tout sélectionner (${count})`,
  expiry: 'Expiration',
  expiryHeading: (count: number) =>
    plural(count, 'Quand le lien prend fin', 'Quand les liens prennent fin'),
  ends: 'Fin',
  endsHint: 'Laisser vide pour des liens sans fin.',
  domain: 'Domaine',
  move: 'Déplacer',
  moveHeading: (count: number) =>
    plural(count, 'Déplacer vers un autre domaine', 'Déplacer les liens vers un autre domaine'),
  moveHint: 'Le code court reste le même. L’ancienne URL courte fonctionne toujours.',
  save: 'Enregistrer',
  undo: 'Annuler',
  undone: (count: number, shown: string) =>
    plural(count, 'Modification annulée.', `Modification de ${shown} liens annulée.`),
  progress: (done: string, total: string) => `${done} liens traités sur ${total}.`,
  looking: 'Recherche des liens…',
  stop: 'Arrêter',
  stopped: (done: string, total: string) => `Arrêté après ${done} liens sur ${total}.`,
  archived: (count: number, shown: string) =>
    plural(count, 'Lien archivé.', `${shown} liens archivés.`),
  unarchived: (count: number, shown: string) =>
    plural(count, 'Lien désarchivé.', `${shown} liens désarchivés.`),
  tagged: (count: number, shown: string) =>
    plural(count, 'Étiquette ajoutée au lien.', `Étiquette ajoutée à ${shown} liens.`),
  untagged: (count: number, shown: string) =>
    plural(count, 'Étiquette retirée du lien.', `Étiquette retirée de ${shown} liens.`),
  inCampaign: (count: number, shown: string) =>
    plural(count, 'Lien ajouté à la campagne.', `${shown} liens ajoutés à la campagne.`),
  inNoCampaign: (count: number, shown: string) =>
    plural(count, 'Lien retiré de sa campagne.', `${shown} liens retirés de leurs campagnes.`),
  moved: (count: number, shown: string) =>
    plural(count, 'Lien déplacé.', `${shown} liens déplacés.`),
  ending: (count: number, shown: string) =>
    plural(count, 'La fin du lien est définie.', `La fin de ${shown} liens est définie.`),
  endless: (count: number, shown: string) =>
    plural(count, 'Le lien est sans fin.', `${shown} liens sont sans fin.`),
  failed: (count: number, shown: string, reason: string) =>
    plural(
      count,
      `Un lien n’a pas été modifié : ${reason}`,
      `${shown} liens n’ont pas été modifiés : ${reason}`,
    ),
} satisfies Translated<typeof english>

export const deletedLinksTexts = {
  heading: 'Liens supprimés',
  none: 'Aucun lien supprimé ne peut être restauré.',
  restore: 'Restaurer',
  restoreOf: (name: string) => `Restaurer ${name}`,
  restored: (name: string) => `Lien ${name} restauré.`,
  deleted: (when: string) => `Supprimé ${when}`,
  keptUntil: (day: string) => `peut être restauré jusqu’au ${day}`,
  forget: 'Supprimer définitivement',
  forgetAsk: 'Supprimer définitivement ce lien et ses statistiques ?',
  forgotten: 'Lien supprimé définitivement.',
} satisfies Translated<typeof englishOfDeleted>
