import type { Translated } from '../../language/translated.ts'
import type { apiTexts as english } from '../api.ts'

export const apiTexts = {
  title: 'API',
  lead: 'Toutes les requêtes auxquelles cette instance répond, à lire et à essayer.',
  open: 'Référence de l’API',
  back: 'Jetons d’API',
  file: 'Fichier OpenAPI',
  token: 'Jeton d’API',
  tokenHint: 'Envoyé avec les requêtes de cette page, et oublié quand vous la quittez.',
  make: 'Créer un jeton pour une heure',
  tokenName: 'Référence de l’API',
  made: 'Jeton créé. Il peut ce que peuvent vos jetons, sauf gérer l’instance, et expire dans une heure.',
  search: 'Rechercher une requête',
  noneFound: 'Aucune requête ne correspond.',
  body: 'Corps',
  answers: 'Réponses',
  columns: { name: 'Nom', type: 'Type', about: 'Description' },
  required: 'obligatoire',
  real: 'Les requêtes envoyées ici sont réelles : elles modifient vos données.',
  send: 'Envoyer la requête',
  elsewhere: 'Comment l’envoyer d’ailleurs',
  copyCommand: 'Copier la commande',
  received: (status: string, ms: string) => `${status}, après ${ms} ms`,
  receivedNothing: 'La réponse n’a pas de corps.',
  answer: 'Réponse',
  unanswered: 'Le serveur n’a pas répondu.',
} as const satisfies Translated<typeof english>
