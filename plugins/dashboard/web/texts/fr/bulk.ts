import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { bulkTexts as english } from '../bulk.ts'

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
  undone: (count: number) =>
    plural(count, 'Modification annulée.', `Modification de ${count} liens annulée.`),
  progress: (done: string, total: string) => `${done} liens traités sur ${total}.`,
  looking: 'Recherche des liens…',
  stop: 'Arrêter',
  stopped: (done: string, total: string) => `Arrêté après ${done} liens sur ${total}.`,
  archived: (count: number) => plural(count, 'Lien archivé.', `${count} liens archivés.`),
  unarchived: (count: number) => plural(count, 'Lien désarchivé.', `${count} liens désarchivés.`),
  tagged: (count: number) =>
    plural(count, 'Étiquette ajoutée au lien.', `Étiquette ajoutée à ${count} liens.`),
  untagged: (count: number) =>
    plural(count, 'Étiquette retirée du lien.', `Étiquette retirée de ${count} liens.`),
  inCampaign: (count: number) =>
    plural(count, 'Lien ajouté à la campagne.', `${count} liens ajoutés à la campagne.`),
  inNoCampaign: (count: number) =>
    plural(count, 'Lien retiré de sa campagne.', `${count} liens retirés de leurs campagnes.`),
  moved: (count: number) => plural(count, 'Lien déplacé.', `${count} liens déplacés.`),
  ending: (count: number) =>
    plural(count, 'La fin du lien est définie.', `La fin de ${count} liens est définie.`),
  endless: (count: number) =>
    plural(count, 'Le lien est sans fin.', `${count} liens sont sans fin.`),
  failed: (count: number, reason: string) =>
    plural(
      count,
      `Un lien n’a pas été modifié : ${reason}`,
      `${count} liens n’ont pas été modifiés : ${reason}`,
    ),
} satisfies Translated<typeof english>
