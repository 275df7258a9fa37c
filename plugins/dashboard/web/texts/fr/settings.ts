import type { Translated } from '../../language/translated.ts'
import type {
  settingsTexts as english,
  signInTexts as englishSignIn,
  toolsTexts as englishTools,
} from '../settings.ts'

export const settingsTexts = {
  title: 'Paramètres',
  profile: 'Profil',
  profileLead:
    'Votre nom et votre adresse. Seuls vous et les admins de cette instance peuvent les voir.',
  fullName: 'Nom',
  email: 'Adresse e-mail',
  emailHint: 'C’est avec elle que vous vous connectez.',
  isAdmin: 'Admin',
  plan: 'Formule',
  planLead: (resets: string) =>
    `Votre consommation à ce jour. Les limites mensuelles repartent de zéro le ${resets}.`,
  usage: {
    links: 'Liens créés ce mois-ci',
    visits: 'Visites comptées ce mois-ci',
  },
  usedOf: (used: string, max: string) => `${used} sur ${max}`,
  usedUnlimited: (used: string) => `${used} · illimité`,
  usedUp: {
    links: 'Vous ne pouvez plus créer de liens ce mois-ci.',
    visits:
      'Vos liens continuent de fonctionner, mais les visites ne sont plus comptées ce mois-ci.',
    things: (label: string) => `La limite de votre formule est atteinte : ${label}.`,
  },
  included: 'Ce que comprend la formule',
  includes: (count: string, total: string) => `${count} sur ${total}`,
  yes: 'Compris :',
  no: 'Non compris :',
  groups: {
    link: 'Liens',
    organization: 'Organisation',
    analytics: 'Statistiques',
    developer: 'Pour les développeurs',
    other: 'Plus',
  },
  appearance: 'Apparence',
  appearanceLead: 'Enregistré dans ce navigateur seulement.',
  shortcuts: 'Raccourcis clavier',
  shortcutsHint:
    'Des touches seules qui agissent aussitôt. À désactiver si vous utilisez la saisie vocale.',
  keys: { '/': 'Rechercher des liens', c: 'Nouveau lien', '?': 'Afficher tous les raccourcis' },
  password: 'Mot de passe',
  passwordLead: 'Le changer met fin à toutes les autres sessions.',
  noPasswordLead:
    'Vous n’avez pas encore de mot de passe. Définissez-en un pour vous connecter ici.',
  currentPassword: 'Mot de passe actuel',
  askedPassword: 'Saisir votre mot de passe',
  askedPasswordLead:
    'Cette étape demande votre mot de passe, au cas où quelqu’un d’autre utiliserait votre navigateur.',
  askedPasswordSubmit: 'Continuer',
  wrongPassword: 'Ce n’est pas votre mot de passe actuel.',
  newPassword: 'Nouveau mot de passe',
  newPasswordHint: 'Au moins 12 caractères.',
  changePassword: 'Changer le mot de passe',
  passwordChanged: 'Mot de passe changé. Toutes les autres sessions sont terminées.',
  sessions: 'Sessions',
  sessionsLead: 'Où vous êtes connecté. Linnet ne conserve pas quels navigateurs vous utilisez.',
  session: 'Session',
  thisSession: 'Ce navigateur',
  signedIn: (when: string) => `Connexion : ${when}`,
  lastSeen: (when: string) => `Vu pour la dernière fois : ${when}`,
  end: 'Terminer',
  endOf: (when: string) => `Terminer la session : ${when}`,
  ended: 'Session terminée.',
  endOthers: 'Terminer toutes les autres sessions',
  othersEnded: 'Toutes les autres sessions sont terminées.',
  identities: 'Autres moyens de connexion',
  identitiesLead: 'Fournisseurs où vous êtes connu. En retirer un laisse vos sessions ouvertes.',
  identityWhen: (since: string, last: string) =>
    `Depuis le ${since} · Dernière utilisation ${last}`,
  removeIdentity: 'Retirer',
  removeIdentityOf: (provider: string) => `Retirer ${provider}`,
  identityRemoved: 'Retiré. Il ne vous connecte plus.',
  delete: 'Supprimer le compte',
  deleteLead:
    'Cela supprime votre compte avec tous ses liens, étiquettes, campagnes et statistiques. C’est irréversible.',
  deleteStart: 'Supprimer le compte',
  deleteWarning:
    'Toutes vos URL courtes cessent aussitôt de fonctionner, même celles déjà imprimées ou envoyées.',
  deleteConfirm: (email: string) => `Saisissez ${email} pour confirmer`,
  deleteSubmit: 'Supprimer définitivement',
  lastAdmin:
    'C’est le seul compte admin, et cette instance en a besoin d’un. Donnez d’abord ce rôle à un autre compte.',
  lastAdminLink: 'Aller aux comptes',
} as const satisfies Translated<typeof english>

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
} as const satisfies Translated<typeof englishTools>

export const signInTexts: Translated<typeof englishSignIn> = {
  with: (provider: string) => `Se connecter avec : ${provider}`,
  or: 'ou',
  noPasskeys:
    'Ce navigateur n’a pas de clés d’accès ici. Il leur faut https et un nom au lieu d’une adresse IP.',
  passkeyNotUsed: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou prenez une autre voie.',
  passkeyNotMade: 'Aucune clé d’accès n’a été créée. Cet appareil en a peut-être déjà une.',
  letters: 'Afficher les lettres au clavier',
  digits: 'Afficher les chiffres au clavier',
  instead: (label: string) => `Utiliser plutôt : ${label}`,
  back: 'Recommencer',
  proveHeading: 'Se connecter encore une fois',
  proveLead:
    'Cette étape demande une connexion récente, au cas où quelqu’un d’autre utiliserait votre navigateur. Vous reviendrez à cette page. Ce qui a été saisi ici sera perdu.',
  proveHere:
    'Cette étape demande une connexion récente, au cas où quelqu’un d’autre utiliserait votre navigateur.',
  signUp: 'Créer un compte',
  mailLink: 'Mot de passe oublié ? M’envoyer un lien',
  linkMailed:
    'S’il y a un compte avec cette adresse, un lien est en route. Il est valable un jour.',
  adminsByPassword: 'Seuls les administrateurs se connectent par mot de passe',
  problems: {
    domain_not_allowed:
      'Votre adresse ne permet pas de se connecter ici. Demandez à un administrateur.',
    group_not_allowed:
      'Vous n’êtes dans aucun groupe qui peut se connecter ici. Demandez à un administrateur.',
    not_proven:
      'L’autre serveur n’a pas demandé qui vous êtes. Déconnectez-vous là-bas et ici, puis reconnectez-vous.',
    provider_refused: 'L’autre serveur ne vous a pas connecté.',
    account_suspended: 'Ce compte est suspendu. Demandez à l’exploitant de ce site.',
    no_account:
      'Il n’y a pas de compte pour vous ici. Demandez-en un à un administrateur, ou connectez-vous avec votre mot de passe.',
    invalid_one_time_link:
      'Cette invitation a été utilisée ou révoquée, ou elle a expiré. Demandez-en une nouvelle à un admin.',
    other_account: 'Vous vous êtes connecté là-bas avec une autre identité qu’ici.',
    sign_in_expired:
      'La connexion a pris trop de temps ou a commencé dans un autre navigateur. Réessayez.',
    sign_in_failed: 'La connexion là-bas n’a pas abouti. Réessayez plus tard.',
    second_step_unavailable:
      'La seconde étape n’est pas disponible pour le moment. Réessayez plus tard, ou prévenez l’administrateur du serveur.',
    unauthenticated: 'Votre session a pris fin. Connectez-vous d’abord.',
  },
  otherProblem: (why: string) => `La connexion là-bas n’a pas abouti : ${why}.`,
  methods: {
    pwd: 'mot de passe',
    otp: 'code à usage unique',
    hwk: 'clé de sécurité',
    swk: 'clé d’accès',
    sms: 'SMS',
    fed: 'autre serveur',
  },
  by: (methods: string) => `par ${methods}`,
  provenAt: (when: string) => `confirmée ${when}`,
}
