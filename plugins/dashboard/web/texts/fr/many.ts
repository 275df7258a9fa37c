import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { manyTexts as english } from '../many.ts'

export const manyTexts = {
  title: 'Créer plusieurs liens',
  lead: 'À partir d’une liste d’URL ou d’un fichier CSV. Un aperçu s’affiche avant toute création.',
  addresses: 'URL',
  addressesHint: 'Une par ligne. Pour choisir le code court, placez-le devant l’URL.',
  chooseFile: 'Choisir un fichier CSV',
  dropHint: 'Ou déposez-le ici. 10 000 lignes et 5 Mio au plus.',
  toPreview: 'Aperçu',
  nothing: 'Aucune URL trouvée.',
  tooMany: (max: string) => `Trop de lignes : à diviser en parties de ${max} au plus.`,
  tooLarge: 'Trop volumineux : à diviser en parties de 5 Mio au plus.',
  columns: 'Colonnes',
  column: (place: number) => `Colonne ${place}`,
  leaveOut: 'Ignorer',
  targets: {
    original_url: 'URL de destination',
    short_code: 'Code court',
    domain: 'Domaine',
    title: 'Titre',
    notes: 'Notes',
    tags: 'Étiquettes',
    campaign: 'Campagne',
    expires_at: 'Fin',
    redirect_status: 'Statut de la redirection',
    external_id: 'Identifiant externe',
    redirect_cache_seconds: 'Secondes de conservation par les navigateurs',
    paths: 'Chemins après le code',
  },
  preview: 'Aperçu',
  rows: 'Lignes',
  asking: 'Vérification des codes courts…',
  ready: (ready: number, shown: string, wrong: number, shownWrong: string) =>
    `${plural(ready, `${shown} lien peut être créé`, `${shown} liens peuvent être créés`)}${wrong > 0 ? `, ${shownWrong} non` : ''}.`,
  onConflict: 'Si un code court est déjà pris :',
  onConflicts: { skip: 'Ignorer la ligne', other: 'Prendre un autre code' },
  onlyWrong: 'N’afficher que les lignes à problème',
  row: 'Ligne',
  state: 'Statut',
  ok: 'Prêt',
  random: 'au hasard',
  instead: (code: string) => `Au lieu de ${code}, déjà pris`,
  more: (count: number, shown: string) =>
    plural(count, 'Et une ligne de plus.', `Et ${shown} lignes de plus.`),
  back: 'Retour',
  make: (count: number, shown: string) =>
    plural(count, `Créer ${shown} lien`, `Créer ${shown} liens`),
  problems: {
    noAddress: 'Cette ligne n’a pas d’URL.',
    badAddress: (beginnings: string) => `L’URL doit commencer par ${beginnings}.`,
    badDate: 'Écrire la date comme 2027-03-01 ou 2027-03-01 12:00.',
    twice: 'Une ligne précédente a le même code court.',
  },
  running: 'Création des liens',
  done: 'Résultat',
  progress: 'Liens créés',
  soFar: (made: string, total: string, failed: number, shownFailed: string) => {
    const without = plural(failed, `${shownFailed} échec`, `${shownFailed} échecs`)
    return `${made} créés sur ${total}${failed === 0 ? '' : `, ${without}`}.`
  },
  stop: 'Arrêter',
  goOn: (left: string) => `Continuer avec les ${left} restants`,
  saveMade: 'Télécharger les URL courtes',
  again: 'En créer d’autres',
  failures: 'Lignes en échec',
  problem: 'Problème',
  saveFailures: 'Les télécharger en CSV',
  notSent: 'Arrêté avant cette ligne.',
  leaveWarning:
    'Des liens sont en cours de création. Si vous quittez, ceux déjà créés restent, et les autres ne sont pas créés.',
} as const satisfies Translated<typeof english>
