import type { Translated } from '../../language/translated.ts'
import type { tokensTexts as english, appsTexts as englishApps } from '../tokens.ts'

export const tokensTexts = {
  title: 'Jetons d’API',
  lead: 'Des clés pour les programmes qui utilisent l’API en votre nom.',
  list: 'Vos jetons d’API',
  create: 'Nouveau jeton',
  edit: 'Modifier le jeton',
  submit: 'Créer le jeton',
  name: 'Nom',
  nameHint: 'Ce qui l’utilise, par exemple « Script de newsletter ».',
  scopes: 'Autorisations',
  everything: 'Tout',
  everythingHint:
    'Tout ce que vous pouvez faire, maintenant et dans les versions futures, y compris modifier et supprimer votre compte.',
  admin: 'Gérer l’instance',
  adminHint: 'Comptes, formules, extensions et sauvegardes. Réservé aux admins.',
  profile: 'Lire votre profil',
  profileHint: 'Nom, adresse e-mail, formule et consommation.',
  read: 'Lire',
  write: 'Écrire',
  readOf: (what: string) => `Lire : ${what}`,
  writeOf: (what: string) => `Écrire : ${what}`,
  writeHint: 'Écrire permet de créer, modifier et supprimer, et comprend la lecture.',
  resources: {
    links: 'Liens',
    tags: 'Étiquettes',
    campaigns: 'Campagnes',
    domains: 'Domaines',
    analytics: 'Statistiques',
    'api-tokens': 'Jetons d’API',
    plugins: 'Extensions',
  },
  expires: 'Expiration',
  expiry: {
    '7': 'Dans 7 jours',
    '30': 'Dans 30 jours',
    '90': 'Dans 90 jours',
    '365': 'Dans 1 an',
    never: 'Jamais',
  },
  keepExpiry: (when: string) => `Inchangé : ${when}`,
  neverHint: 'Qui obtient ce jeton peut l’utiliser jusqu’à ce que vous le révoquiez.',
  none: 'jamais',
  expiresAt: (when: string) => `Expire : ${when}`,
  expiredAt: (when: string) => `Expiré : ${when}`,
  expiresNever: 'N’expire jamais',
  used: (when: string) => `Dernière utilisation : ${when}`,
  unused: 'Jamais utilisé',
  made: (when: string) => `Créé : ${when}`,
  madeHeading: 'Votre nouveau jeton',
  onceHeading: 'À copier maintenant',
  once: 'Il ne s’affichera plus. Conservez-le comme un mot de passe.',
  token: 'Jeton',
  copyToken: 'Copier le jeton',
  tryIt: 'À essayer dans un terminal',
  copyCommand: 'Copier la commande',
  actionsOf: (name: string) => `Actions pour ${name}`,
  revoke: 'Révoquer',
  revoked: (name: string) => `${name} révoqué.`,
  revokeHeading: (name: string) => `Révoquer ${name} ?`,
  revokeWarning:
    'Les programmes qui utilisent ce jeton perdent aussitôt l’accès. C’est irréversible.',
  barred:
    'Votre formule ne comprend pas les jetons d’API. Ceux qui existent ne fonctionnent pas, et vous pouvez les révoquer.',
  switchedOff:
    'Les jetons d’API sont désactivés pour tout le monde. Ceux qui existent ne fonctionneront qu’une fois réactivés.',
  emptyHeading: 'Créez votre premier jeton d’API',
  emptyLead:
    'Un programme peut faire tout ce qui se fait ici. Créez un jeton, mettez-le à la place de lnt_…, et cette commande crée un lien :',
} as const satisfies Translated<typeof english>

export const appsTexts = {
  title: 'Applications',
  lead: 'Créer des liens depuis d’autres programmes. Chaque extrait contient l’adresse de cette instance ; son jeton ne permet que les liens.',
  copyOf: (name: string) => `Copier pour ${name}`,
  save: (file: string) => `Enregistrer ${file}`,
  makeFor: (name: string) => `Créer un jeton pour ${name}`,
  made: 'Le jeton est dans l’extrait. Il ne sera plus visible après avoir quitté cette page.',
  apps: {
    shareX: {
      name: 'ShareX',
      lead: 'Enregistrer le fichier et l’ouvrir. ShareX l’ajoute à ses téléverseurs personnalisés et demande s’il doit raccourcir les URL avec lui.',
    },
    shortcuts: {
      name: 'Raccourcis iOS',
      lead: 'Créer un raccourci qui apparaît dans la feuille de partage et reçoit des URL. Ajouter « Obtenir le contenu de l’URL » avec cette URL, cette méthode et cet en-tête, et un corps JSON avec le texte original_url. Ajouter ensuite « Obtenir la valeur du dictionnaire » pour la valeur ci-dessous, et « Copier dans le presse-papiers ».',
    },
    raycast: {
      name: 'Raycast',
      lead: 'Enregistrer le fichier dans le dossier des commandes de script et le rendre exécutable. L’URL courte est copiée.',
    },
    homeAssistant: {
      name: 'Home Assistant',
      lead: 'À ajouter à configuration.yaml. L’action rest_command.shorten_url prend url et répond avec le lien dans content.data.shortUrl.',
    },
    n8n: {
      name: 'n8n',
      lead: 'Copier, puis coller dans un workflow. Le nœud raccourcit l’URL du champ url et renvoie le lien dans data.shortUrl.',
    },
    assistant: {
      name: 'Assistants IA',
      lead: 'Pour Claude, les éditeurs et d’autres programmes qui parlent le Model Context Protocol (MCP) : ajouter ceci à leurs serveurs. Ils peuvent créer, trouver, modifier et compter des liens, et montrent ce qu’ils supprimeraient avant de le faire.',
    },
    curl: { name: 'curl', lead: 'Dans un terminal ou un script.' },
    bookmarklet: {
      name: 'Bookmarklet',
      lead: 'Ajouter un favori avec cette adresse. Il ouvre le formulaire d’un nouveau lien avec la page affichée, et n’a besoin d’aucun jeton.',
    },
  },
} as const satisfies Translated<typeof englishApps>
