import type { Translated } from '../../language/translated.ts'
import type { oneTimeLinkTexts as english } from '../one-time-link.ts'

export const oneTimeLinkTexts = {
  title: 'Choisir un mot de passe',
  heading: 'Choisir un nouveau mot de passe',
  lead: 'Vous serez connecté ici, et déconnecté partout ailleurs. Vos jetons d’API ne seront plus valables.',
  welcome: (name: string | null) => (name ? `Bienvenue, ${name}` : 'Bienvenue dans Linnet'),
  welcomeLead: 'Choisissez un mot de passe pour votre compte.',
  email: 'Adresse e-mail',
  password: 'Nouveau mot de passe',
  passwordHint: 'Au moins 12 caractères.',
  submit: 'Enregistrer et se connecter',
  over: 'Ce lien ne fonctionne plus',
  failed: 'Ce lien ne peut pas être ouvert pour le moment',
  signIn: 'Se connecter',

  invite: 'Lien d’invitation',
  renew: 'Lien pour un nouveau mot de passe',
  inviteHeading: (email: string) => `Inviter ${email}`,
  renewHeading: (email: string) => `Nouveau mot de passe pour ${email}`,
  inviteLead:
    'La personne qui ouvre le lien choisit le mot de passe de ce compte et est connectée. Il fonctionne une seule fois, pendant sept jours.',
  renewLead:
    'La personne qui ouvre le lien choisit un nouveau mot de passe pour ce compte et est connectée ; toutes les sessions et tous les jetons d’API du compte prennent fin. Il fonctionne une seule fois, pendant un jour. D’ici là, le mot de passe actuel reste valable.',
  waiting: (until: string) => `Un lien est valable jusqu’au ${until}. En créer un autre y met fin.`,
  make: 'Créer le lien',
  mail: 'Envoyer le lien',
  mailed: (email: string) => `Le lien est en route vers ${email}.`,
  makeAgain: 'Créer un autre lien',
  revoke: 'Révoquer le lien',
  revoked: 'Le lien ne fonctionne plus.',
  once: 'Ne donnez ce lien qu’à la personne à qui appartient le compte. Il ne sera plus affiché, mais vous pouvez en créer un autre.',
  onceHeading: (until: string) => `Fonctionne une seule fois, jusqu’au ${until}`,
  copy: 'Copier le lien',
  invitedUntil: (until: string) => `Invitation jusqu’au ${until}`,
  renewedUntil: (until: string) => `Lien pour un nouveau mot de passe jusqu’au ${until}`,
  noPassword: 'Pas encore de mot de passe',
} as const satisfies Translated<typeof english>
