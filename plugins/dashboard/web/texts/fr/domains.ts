import { plural } from '../../language/plural.ts'
import type { Translated } from '../../language/translated.ts'
import type { domainsTexts as english } from '../domains.ts'

export const domainsTexts = {
  title: 'Domaines',
  lead: 'Vos propres domaines pour vos liens, par exemple go.example.org.',
  list: 'Vos domaines',
  create: 'Ajouter un domaine',
  submit: 'Ajouter le domaine',
  edit: 'Modifier le domaine',
  editOf: (host: string) => `Modifier ${host}`,
  host: 'Nom de domaine',
  hostHint: 'Sans https:// et sans chemin.',
  rootUrl: 'Page d’accueil',
  rootUrlHint:
    'Où vont les visiteurs qui ouvrent le domaine lui-même. Laisser vide pour une page qui dit qu’il n’y a pas de lien.',
  notFoundUrl: 'Page des liens inconnus',
  notFoundUrlHint:
    'Où vont les visiteurs dont le code court n’existe pas. Laisser vide pour une page qui l’indique.',
  added: (host: string) => `${host} ajouté. Vérifiez maintenant qu’il est à vous.`,
  deleted: (host: string) => `${host} supprimé.`,
  verified: 'Vérifié',
  unverified: 'Non vérifié',
  nowVerified: (host: string) => `${host} est vérifié. Vous pouvez maintenant y créer des liens.`,
  links: (count: number, shown: string) => plural(count, `${shown} lien`, `${shown} liens`),
  leadsTo: (url: string) => `Page d’accueil : ${url}`,
  notFoundTo: (url: string) => `Liens inconnus : ${url}`,
  actionsOf: (host: string) => `Actions pour ${host}`,
  proveHeading: 'Vérifier qu’il est à vous',
  proveLead:
    'Choisissez l’une des deux méthodes. Une fois le domaine vérifié, vous pouvez retirer l’enregistrement ou le fichier.',
  byDns: 'Enregistrement DNS',
  byDnsLead:
    'Ajoutez cet enregistrement chez votre fournisseur DNS. Il peut mettre une heure à être visible.',
  type: 'Type',
  recordName: 'Nom',
  value: 'Valeur',
  byFile: 'Fichier',
  byFileLead:
    'Placez ce texte dans un fichier sur le serveur web du domaine. Cela ne marche que tant que le domaine ne pointe pas encore vers Linnet.',
  address: 'URL du fichier',
  content: 'Contenu',
  copy: (what: string) => `Copier : ${what}`,
  verify: 'Vérifier maintenant',
  pointHere:
    'Faites ensuite pointer le domaine vers ce serveur par un enregistrement CNAME, A ou AAAA, et installez-y un certificat TLS.',
  deleteHeading: (host: string) => `Supprimer ${host} ?`,
  deleteWarning: 'Les liens de ce domaine cessent de fonctionner.',
  inUse: (count: number, shown: string) =>
    plural(
      count,
      'Un lien est sur ce domaine. Déplacez-le d’abord vers un autre domaine, ou supprimez-le.',
      `${shown} liens sont sur ce domaine. Déplacez-les d’abord vers un autre domaine, ou supprimez-les.`,
    ),
  emptyHeading: 'Utilisez votre propre domaine',
  emptyLead:
    'Les liens sur votre propre domaine montrent de qui ils viennent. Ajoutez le domaine, vérifiez-le par un enregistrement DNS ou un fichier, puis choisissez-le en créant un lien.',
} as const satisfies Translated<typeof english>
