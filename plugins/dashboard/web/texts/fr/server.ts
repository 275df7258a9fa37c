import type { ServerTexts } from '../../language/server-texts.ts'

export const serverTexts: ServerTexts = {
  sentences: {
    Scheduled: 'Programmé',
    Expired: 'Expiré',
    'Limit reached': 'Limite atteinte',
    Blocked: 'Bloqué',
    'Choose the short code of a new link.': 'Choisir le code court d’un nouveau lien.',
    'Custom short code': 'Code court personnalisé',
    Link: 'Lien',
    'Short code': 'Code court',
    '1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.':
      'De 1 à 64 lettres, chiffres, traits d’union et tirets bas. Majuscules et minuscules comptent.',
    'Change the short code of an existing link; the old one keeps working.':
      'Changer le code court d’un lien existant ; l’ancien continue de fonctionner.',
    'Edit short code': 'Modifier le code court',
    '1 to 64 letters, digits, hyphens and underscores. Former short codes keep working.':
      'De 1 à 64 lettres, chiffres, traits d’union et tirets bas. Les anciens codes courts continuent de fonctionner.',
    'Change where an existing link leads.': 'Changer la destination d’un lien existant.',
    'Edit original URL': 'Modifier l’URL de destination',
    'Original URL': 'URL de destination',
    'Give a new link the title of the page it leads to.':
      'Donner à un nouveau lien le titre de la page où il mène.',
    'Page title': 'Titre de la page',
    'Block links to addresses that are known to be harmful.':
      'Bloquer les liens vers des adresses connues comme malveillantes.',
    'URL scanning': 'Analyse des URL',
    'Add UTM parameters to the original URL of a link.':
      'Ajouter des paramètres UTM à l’URL de destination d’un lien.',
    'UTM parameters': 'Paramètres UTM',
    'These replace all five UTM parameters of the original URL, also when the URL is changed later.':
      'Ils remplacent les cinq paramètres UTM de l’URL de destination, même si celle-ci change plus tard.',
    'Open a link at a date, and end it at a date or after a number of visits.':
      'Ouvrir un lien à une date, et y mettre fin à une date ou après un certain nombre de visites.',
    'Link expiration': 'Expiration',
    'Opens at': 'Ouverture',
    'Ends at': 'Fin',
    'Maximum visits': 'Nombre maximal de visites',
    'The link ends after this many visits, counted from when you set the limit. Previews and bots use none up, and do not see where the link leads.':
      'Le lien se termine après ce nombre de visites, comptées à partir du moment où vous fixez la limite. Les aperçus et les robots n’en utilisent aucune et ne voient pas où mène le lien.',
    'URL after the end': 'URL après la fin',
    'Where visitors go once the link has ended. Leave empty to show a page that says so.':
      'Où vont les visiteurs une fois le lien terminé. Laisser vide pour afficher une page qui l’indique.',
    'Ask for a password before redirecting.': 'Demander un mot de passe avant la redirection.',
    'Password protection': 'Protection par mot de passe',
    Password: 'Mot de passe',
    'Send visitors to different URLs by rules, and split them by weight.':
      'Envoyer les visiteurs vers différentes URL selon des règles, et les répartir par poids.',
    'Dynamic routing': 'Redirection dynamique',
    'Routing rules': 'Règles de redirection',
    'The first rule that matches a visitor decides where they go. If none matches, they go to the original URL.':
      'La première règle qui correspond à un visiteur décide où il va. Si aucune ne correspond, il va à l’URL de destination.',
    'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield.':
      'Saisissez une ville par son nom anglais, comme Munich, ou comme US|Illinois|Springfield.',
    'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield, or a list of them.':
      'Saisissez une ville par son nom anglais, comme Munich, ou comme US|Illinois|Springfield, ou une liste.',
    'Enter an address or a network, such as 192.0.2.0/24 or 2001:db8::/32, or a list of them.':
      'Saisissez une adresse ou un réseau, comme 192.0.2.0/24 ou 2001:db8::/32, ou une liste.',
    'Page before leaving': 'Page avant de partir',
    'Show visitors where a link leads, and let them go on by a button.':
      'Montrer aux visiteurs où mène un lien, et les laisser continuer par un bouton.',
    'Visitors see where the link leads, and go on by a button. With a limited number of visits they do not see where, and the button uses up one.':
      'Les visiteurs voient où mène le lien et continuent par un bouton. Si le nombre de visites est limité, ils ne le voient pas, et le bouton en utilise une.',
    'Paths after the code': 'Chemins après le code',
    'Add what visitors write behind a short code to the original URL, or put it into a template.':
      'Ajouter à l’URL de destination ce que les visiteurs écrivent après un code court, ou l’insérer dans un modèle.',
    'append, or a template such as /issues/{1} on the host of the original URL.':
      'append, ou un modèle tel que /issues/{1} sur l’hôte de l’URL de destination.',
    'Enter append, or a template that begins with /: scheme and host are those of the original URL.':
      'Saisissez append, ou un modèle qui commence par / : le schéma et l’hôte sont ceux de l’URL de destination.',
    'A placeholder is {1} to {9}, {*} or {query.name}, perhaps with a default, such as {1|start}.':
      'Un paramètre est {1} à {9}, {*} ou {query.name}, avec une valeur par défaut si besoin, comme {1|start}.',
    'The template has no placeholder, such as {1} or {*}.':
      'Le modèle n’a aucun paramètre, comme {1} ou {*}.',
    'The template is no path. It has no spaces, backslashes, empty parts, . or .., and each % is followed by two hexadecimal digits.':
      'Le modèle n’est pas un chemin. Il n’a ni espaces, ni barres obliques inverses, ni parties vides, ni . ou .., et chaque % est suivi de deux chiffres hexadécimaux.',
    "Pass the visitor's query parameters on to the original URL.":
      'Transmettre les paramètres de requête du visiteur à l’URL de destination.',
    'Query forwarding': 'Transmission des paramètres',
    'Forward query parameters': 'Transmettre les paramètres de requête',
    'The link’s own parameters are kept.': 'Les paramètres propres au lien sont conservés.',
    'Choose the status with which a link redirects, and how long browsers may keep it.':
      'Choisir le statut avec lequel un lien redirige, et combien de temps les navigateurs peuvent le garder.',
    'Give links the ids that they have elsewhere, and find them by these.':
      'Donner aux liens les identifiants qu’ils ont ailleurs, et les retrouver ainsi.',
    'External id': 'Identifiant externe',
    'What another program calls the link. No two links of an account have the same.':
      'Comment un autre programme appelle le lien. Deux liens d’un compte n’ont jamais le même.',
    'Another link of yours has the external id {}.':
      'Un autre de vos liens a l’identifiant externe {}.',
    'Redirect status': 'Statut de la redirection',
    'Usual redirect status': 'Statut habituel de la redirection',
    'For links that do not say otherwise. With 302 they cost the least.':
      'Pour les liens qui ne disent rien d’autre. Avec 302, ils coûtent le moins.',
    'Seconds that browsers keep the redirect':
      'Secondes pendant lesquelles les navigateurs gardent la redirection',
    'For links that do not say otherwise, and redirect with 301 or 308. Visits meanwhile are not counted.':
      'Pour les liens qui ne disent rien d’autre et redirigent avec 301 ou 308. Les visites faites entre-temps ne sont pas comptées.',
    'Leave empty for the usual one of this instance. A link with a password, dates, a limit of visits or routing rules redirects with 302.':
      'Laisser vide pour le statut habituel de cette instance. Un lien avec mot de passe, dates, limite de visites ou règles redirige avec 302.',
    'Only with 301 or 308. Visits from a browser that keeps the redirect are not counted, and changes of the link do not reach it before.':
      'Seulement avec 301 ou 308. Les visites d’un navigateur qui garde la redirection ne sont pas comptées, et les changements du lien ne l’atteignent qu’après.',
    '301 – for good': '301 : définitif',
    '302 – for now': '302 : provisoire',
    '307 – for now': '307 : provisoire',
    '308 – for good': '308 : définitif',
    'Redirects with 302': 'Redirige avec 302',
    '302 for the password': '302 à cause du mot de passe',
    '302 for dates or limit': '302 à cause des dates ou de la limite',
    '302 for rules': '302 à cause des règles',
    '302 for the page before': '302 à cause de la page avant',
    'Browsers keep redirects with 301 and 308 only. Choose one of them, or leave this empty.':
      'Les navigateurs ne gardent que les redirections 301 et 308. Choisir l’une d’elles, ou laisser vide.',
    'Browsers keep redirects with 301 and 308 only. Choose one of them, or empty the seconds that browsers keep the redirect.':
      'Les navigateurs ne gardent que les redirections 301 et 308. Choisir l’une d’elles, ou vider les secondes pendant lesquelles ils la gardent.',
    'Show where a link leads, without going there, when a plus sign follows its short code.':
      'Montrer où mène un lien, sans y aller, quand un signe plus suit son code court.',
    'Link preview': 'Aperçu des liens',
    'Put links on your own domains, each with a front page and a page for unknown short codes.':
      'Placer des liens sur ses propres domaines, chacun avec une page d’accueil et une page pour les codes inconnus.',
    'Custom domains': 'Domaines personnalisés',
    Organization: 'Organisation',
    Domain: 'Domaine',
    'Host of one of your verified domains or of one that is shared with you; null, the default of new links, is the host of this instance.':
      'Hôte d’un de vos domaines vérifiés ou d’un domaine partagé avec vous ; sans indication, l’hôte de cette instance.',
    'Shared domains': 'Domaines partagés',
    'Domains of this instance, on which the accounts of some plans or of all can have links.':
      'Domaines de cette instance, sur lesquels les comptes de certaines formules ou de toutes peuvent avoir des liens.',
    Plans: 'Formules',
    Links: 'Liens',
    Accounts: 'Comptes',
    'Share no more': 'Ne plus partager',
    'The host then shows nothing of Linnet. This works only while no links are on it.':
      'L’hôte ne montre alors plus rien de Linnet. Cela n’est possible que s’il ne porte aucun lien.',
    'As links.example.org. One that is shared already is changed to what you enter here.':
      'Par exemple links.example.org. Un domaine déjà partagé devient tel que vous l’indiquez ici.',
    'The short names of the plans, as free. Empty: all.':
      'Les noms courts des formules, par exemple free. Vide : toutes.',
    'Share this domain': 'Partager ce domaine',
    'Choose what the main host shows at its bare address, for unknown short codes and to search engines.':
      'Choisir ce que l’hôte principal montre à son adresse seule, pour les codes inconnus et aux moteurs de recherche.',
    'Front page': 'Page d’accueil',
    'Search engines may index it': 'Les moteurs de recherche peuvent l’indexer',
    'Otherwise they are asked to leave the short URL out. What the link leads to is not concerned.':
      'Sinon, on leur demande d’omettre l’URL courte. La page cible n’est pas concernée.',
    'What visitors of the bare address see. Empty: the dashboard, unless it has a host of its own.':
      'Ce que voient les visiteurs de l’adresse seule. Vide : le tableau de bord, sauf s’il a son propre hôte.',
    'The dashboard': 'Le tableau de bord',
    'Another address': 'Une autre adresse',
    'A text': 'Un texte',
    'Nothing (404)': 'Rien (404)',
    'Address of the front page': 'Adresse de la page d’accueil',
    'Title of the text': 'Titre du texte',
    'Text of the front page': 'Texte de la page d’accueil',
    'Unknown short codes': 'Codes inconnus',
    'Empty: a page that says so.': 'Vide : une page qui le dit.',
    'A page that says so (404)': 'Une page qui le dit (404)',
    'Address for unknown short codes': 'Adresse pour les codes inconnus',
    'Search engines (robots.txt)': 'Moteurs de recherche (robots.txt)',
    'On all hosts. Empty: they may read nothing but links that say so.':
      'Sur tous les hôtes. Vide : ils ne peuvent lire que les liens qui le permettent.',
    'Nothing but links that say so': 'Seulement les liens qui le permettent',
    Everything: 'Tout',
    'A text of your own': 'Un texte à vous',
    'Text of robots.txt': 'Texte de robots.txt',
    'What the main host shows besides links.': 'Ce que l’hôte principal montre outre les liens.',
    'Main host': 'Hôte principal',
    'Visitors get': 'Les visiteurs reçoivent',
    'For search engines': 'Pour les moteurs de recherche',
    'They read': 'Ils lisent',
    'Contact for security reports': 'Contact pour les signalements de sécurité',
    'In security.txt, such as mailto:security@example.com or https://example.com/security. Empty: there is none.':
      'Dans security.txt, comme mailto:security@example.com ou https://example.com/security. Vide : il n’y en a pas.',
    'For security reports': 'Pour les signalements de sécurité',
    'security.txt': 'security.txt',
    'Enter mailto: with an e-mail address, or a URL with https://.':
      'Saisir mailto: avec une adresse e-mail, ou une URL en https://.',
    'Save front page': 'Enregistrer la page d’accueil',
    'Enter the address of the front page, or choose another one.':
      'Saisir l’adresse de la page d’accueil, ou en choisir une autre.',
    'Enter a title, or choose another front page.':
      'Saisir un titre, ou choisir une autre page d’accueil.',
    'Enter the address for unknown short codes, or choose the page.':
      'Saisir l’adresse pour les codes inconnus, ou choisir la page.',
    'Enter the text of robots.txt, or choose another one.':
      'Saisir le texte de robots.txt, ou en choisir un autre.',
    'Each line is a rule, such as Disallow: /private, or begins with #.':
      'Chaque ligne est une règle, comme Disallow: /private, ou commence par #.',
    'This is the host of the dashboard.': 'C’est l’hôte du tableau de bord.',
    'There is nothing here.': 'Il n’y a rien ici.',
    'Label links with coloured tags, and filter links by tag.':
      'Marquer les liens d’étiquettes de couleur, et les filtrer par étiquette.',
    Tags: 'Étiquettes',
    'Ids of tags, at most 50.': 'Identifiants d’étiquettes, 50 au plus.',
    'Tags to add': 'Étiquettes à ajouter',
    'Ids of tags to add to the link.': 'Identifiants d’étiquettes que le lien reçoit en plus.',
    'Tags to remove': 'Étiquettes à retirer',
    'Ids of tags to remove from the link.':
      'Identifiants d’étiquettes que le lien perd, s’il les a.',
    'Group links into campaigns, with combined statistics.':
      'Regrouper les liens en campagnes, avec des statistiques communes.',
    Campaigns: 'Campagnes',
    Campaign: 'Campagne',
    'Id of a campaign.': 'Identifiant d’une campagne.',
    'Send the mail of all plugins over an SMTP server.':
      'Envoyer le courrier de toutes les extensions par un serveur SMTP.',
    Mail: 'Courrier',
    'URL of the mail server, such as smtps://name:password@mail.example.org':
      'URL du serveur de courrier, comme smtps://name:password@mail.example.org',
    Sender: 'Expéditeur',
    'The address that mail comes from, such as links@example.org. If empty, the name in LINNET_SMTP_URL.':
      'L’adresse d’où part le courrier, comme links@example.org. Vide : le nom dans LINNET_SMTP_URL.',
    'One line of text.': 'Une ligne de texte.',
    'Name of the sender': 'Nom de l’expéditeur',
    'Let people sign in at a server that speaks OpenID Connect, such as that of a company.':
      'Permettre de se connecter par un serveur qui parle OpenID Connect, comme celui d’une entreprise.',
    'Single sign-on': 'Authentification unique',
    Issuer: 'Émetteur (issuer)',
    'Such as https://login.example.org, as the provider writes it.':
      'Par exemple https://login.example.org, tel que le fournisseur l’écrit.',
    'Client ID': 'Identifiant du client',
    'Client secret': 'Secret du client',
    Scopes: 'Portées (scopes)',
    'What the provider is asked for, with openid among it.':
      'Ce qui est demandé au fournisseur ; openid doit en faire partie.',
    'Sign people in to the account with their verified address':
      'Connecter au compte qui a l’adresse vérifiée de la personne',
    'Whoever gets an address at the provider gets the account that has it here.':
      'Quiconque obtient une adresse chez le fournisseur obtient le compte qui l’a ici.',
    'Make accounts for people who have none': 'Créer un compte pour qui n’en a pas',
    'Trust addresses of which the provider does not say whether they are verified':
      'Se fier aux adresses dont le fournisseur ne dit pas si elles sont vérifiées',
    'Only for a provider where nobody can enter an address of somebody else.':
      'Seulement pour un fournisseur où personne ne peut indiquer l’adresse de quelqu’un d’autre.',
    'Allowed domains': 'Domaines autorisés',
    'Only people with a verified address there come in. If empty, all.':
      'Seules les personnes qui y ont une adresse vérifiée entrent. Vide : toutes.',
    'Claim with the groups': 'Claim des groupes',
    'Such as groups or realm_access.roles.': 'Par exemple groups ou realm_access.roles.',
    'Allowed groups': 'Groupes autorisés',
    'Only people in one of them come in. If empty, all.':
      'Seules les personnes de l’un d’eux entrent. Vide : toutes.',
    'Groups of admins': 'Groupes des administrateurs',
    'Whoever is in one of them is an admin, and nobody else whom the provider signs in. If empty, nothing changes.':
      'Qui est dans l’un d’eux est administrateur, et personne d’autre parmi ceux que le fournisseur connecte. Vide : rien ne change.',
    'Plans of groups': 'Formules des groupes',
    'Lines such as staff = pro; the first that fits is taken. * = free is for everybody else.':
      'Des lignes comme staff = pro ; la première qui convient compte. * = free est pour tous les autres.',
    'Admins only': 'Administrateurs seulement',
    'Sign people out there, too': 'Déconnecter aussi là-bas',
    'Where the provider offers that. It may end their sessions elsewhere.':
      'Là où le fournisseur le permet. Cela peut mettre fin à leurs sessions ailleurs.',
    'Who may sign in by password, too': 'Qui peut aussi se connecter par mot de passe',
    'Export links with all that belongs to them, or as files with which other servers redirect.':
      'Exporter les liens avec tout ce qui leur appartient, ou en fichiers avec lesquels d’autres serveurs redirigent.',
    Exports: 'Exports',
    'Save searches of links under a name.': 'Enregistrer des recherches de liens sous un nom.',
    'Bring links, their visits and tags from other programs.':
      'Reprendre d’autres programmes les liens, leurs visites et leurs étiquettes.',
    Imports: 'Importations',
    'Largest file': 'Plus grand fichier',
    'In MiB.': 'En Mio.',
    'Go on with imports': 'Poursuivre les importations',
    'Tidy up imports': 'Ranger les importations',
    'Saved searches': 'Recherches enregistrées',
    'Visits left out': 'Visites non comptées',
    'Leave visits from your own networks, and of owners of links, out of all numbers.':
      'Ne pas compter les visites de vos réseaux ni celles des propriétaires des liens.',
    Networks: 'Réseaux',
    'One address or network a line, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.':
      'Une adresse ou un réseau par ligne, comme 192.0.2.7, 192.0.2.0/24 ou 2001:db8::/32.',
    'Leave out the owner of the link': 'Ne pas compter le propriétaire du lien',
    'Whoever is signed in to the dashboard in the same browser. Not on custom domains, where no browser says so.':
      'Qui est connecté au tableau de bord dans le même navigateur. Pas sur les domaines personnalisés, où aucun navigateur ne le dit.',
    'Enter an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.':
      'Saisissez une adresse ou un réseau, comme 192.0.2.7, 192.0.2.0/24 ou 2001:db8::/32.',
    'Tracking pixel': 'Pixel de suivi',
    'Count a visit by an image of one pixel, at /code/track.gif, without redirecting.':
      'Compter une visite par une image d’un pixel, à /code/track.gif, sans rediriger.',
    'Count visits, with those of bots counted separately.':
      'Compter les visites, celles des robots à part.',
    'Visits tracking': 'Comptage des visites',
    Analytics: 'Statistiques',
    Visits: 'Visites',
    Bots: 'Robots',
    'Count unique visitors per day, without identifying anyone.':
      'Compter les visiteurs uniques par jour, sans identifier personne.',
    'Unique visitors': 'Visiteurs uniques',
    'Daily unique visitors': 'Visiteurs uniques par jour',
    'Draw a QR code for each link, and count the visits that come from it.':
      'Dessiner un code QR pour chaque lien, et compter les visites qui en viennent.',
    'QR codes': 'Codes QR',
    'Visits from QR codes': 'Visites par code QR',
    'Show the number of visits over time.': 'Montrer le nombre de visites au fil du temps.',
    'Visits over time': 'Visites au fil du temps',
    'Count visits by browser.': 'Compter les visites par navigateur.',
    'Visits by browser': 'Visites par navigateur',
    Browser: 'Navigateur',
    'Count visits by operating system.': 'Compter les visites par système d’exploitation.',
    'Visits by operating system': 'Visites par système d’exploitation',
    'Operating system': 'Système d’exploitation',
    'Count visits by device type: desktop, mobile, tablet or other.':
      'Compter les visites par type d’appareil : ordinateur, mobile, tablette ou autre.',
    'Visits by device type': 'Visites par type d’appareil',
    'Device type': 'Type d’appareil',
    'Count visits by preferred language.': 'Compter les visites par langue préférée.',
    'Visits by language': 'Visites par langue',
    Language: 'Langue',
    'Count visits by country.': 'Compter les visites par pays.',
    'Visits by country': 'Visites par pays',
    Country: 'Pays',
    'Count visits by city.': 'Compter les visites par ville.',
    'Visits by city': 'Visites par ville',
    City: 'Ville',
    'Count visits by the routing rule that applied.':
      'Compter les visites par règle de redirection appliquée.',
    'Visits by routing rule': 'Visites par règle de redirection',
    'Routing rule': 'Règle de redirection',
    'Count visits by the website they come from.': 'Compter les visites par site de provenance.',
    'Visits by referer': 'Visites par provenance',
    Referer: 'Provenance',
    'Count visits by UTM parameter.': 'Compter les visites par paramètre UTM.',
    'UTM tracking': 'Suivi UTM',
    'UTM source': 'Source UTM',
    'UTM medium': 'Support UTM',
    'UTM campaign': 'Campagne UTM',
    'UTM term': 'Terme UTM',
    'UTM content': 'Contenu UTM',
    'Show the analytics of a link, tag or campaign to everyone who knows a secret address.':
      'Montrer les statistiques d’un lien, d’une étiquette ou d’une campagne à qui connaît une adresse secrète.',
    'Public numbers': 'Chiffres publics',
    'Use the API with tokens that have scopes and an expiry date.':
      'Utiliser l’API avec des jetons dotés d’autorisations et d’une date d’expiration.',
    'API keys': 'Clés d’API',
    Webhooks: 'Webhooks',
    'Tell other programs of every change, signed and in order, until they have taken it.':
      'Signaler chaque modification à d’autres programmes, signée et dans l’ordre, jusqu’à ce qu’ils l’aient reçue.',
    'Look for messages to send': 'Chercher les messages à envoyer',
    'Tell of the visits of the hour': 'Signaler les visites de l’heure',
    'Delete old messages': 'Supprimer les anciens messages',
    'As https://example.com/linnet.': 'Comme https://example.com/linnet.',
    'What it is for.': 'À quoi il sert.',
    Events: 'Événements',
    'One in each line: * for every change, link.* for those of links, or link.created; visits.counted for the visits of each hour.':
      'Un par ligne : * pour chaque modification, link.* pour celles des liens, ou link.created ; visits.counted pour les visites de chaque heure.',
    Working: 'Fonctionne',
    Failing: 'Échoue',
    Waiting: 'En attente',
    Delivered: 'Livré',
    Failed: 'Échoué',
    Missed: 'Manqué',
    'Other programs that are told of every change.':
      'D’autres programmes à qui chaque modification est signalée.',
    'Your webhooks': 'Vos webhooks',
    Address: 'Adresse',
    State: 'État',
    Problem: 'Problème',
    'Save webhook': 'Enregistrer le webhook',
    Test: 'Tester',
    Status: 'Statut',
    Answer: 'Réponse',
    'New secret': 'Nouveau secret',
    'Messages are signed with both secrets for a day, and then with the new one.':
      'Les messages sont signés avec les deux secrets pendant un jour, puis avec le nouveau.',
    Delete: 'Supprimer',
    'Nothing more is sent to it, and its messages are deleted.':
      'Plus rien ne lui est envoyé, et ses messages sont supprimés.',
    'New webhook': 'Nouveau webhook',
    'Hears of': 'Concerne',
    'Only admins may choose the whole instance.':
      'Seuls les administrateurs peuvent choisir toute l’instance.',
    'Your account': 'Votre compte',
    'The whole instance': 'Toute l’instance',
    'Create webhook': 'Créer le webhook',
    Messages: 'Messages',
    'They are kept for seven days.': 'Ils sont conservés sept jours.',
    'Send again': 'Envoyer à nouveau',
    'It is sent again.': 'Il est envoyé à nouveau.',
    Developer: 'Développeur',
    'Manage everything in a browser.': 'Tout gérer dans un navigateur.',
    Web: 'Web',
    Dashboard: 'Tableau de bord',
    'Block lists': 'Listes de blocage',
    'Paths of files or folders. Files can be hosts files, or have one domain, one ||domain^ or one URL per line.':
      'Chemins de fichiers ou de dossiers. Un fichier peut être un fichier hosts, ou contenir un domaine, un ||domain^ ou une URL par ligne.',
    'Block look-alike domain names and public IP addresses':
      'Bloquer les noms de domaine trompeurs et les adresses IP publiques',
    'API key of Google Safe Browsing': 'Clé d’API de Google Safe Browsing',
    'URL of another service to use instead of Google Safe Browsing':
      'URL d’un autre service à utiliser à la place de Google Safe Browsing',
    'New links while Safe Browsing does not answer':
      'Nouveaux liens tant que Safe Browsing ne répond pas',
    'Domains per account': 'Domaines par compte',
    'Logo in QR codes': 'Logo dans les codes QR',
    'Path of a PNG file on the server, at most 64 KiB and 256 pixels per side, ideally square.':
      'Chemin d’un fichier PNG sur le serveur, 64 Kio et 256 pixels de côté au plus, de préférence carré.',
    'Location data updates': 'Mise à jour des données de localisation',
    'Download newer location data each month.':
      'Télécharger chaque mois des données de localisation plus récentes.',
    'Include cities': 'Inclure les villes',
    'Downloads about 60 MB per month and takes 130 MB of disk space.':
      'Télécharge environ 60 Mo par mois et occupe 130 Mo d’espace disque.',
    'Account ID and licence key of MaxMind, such as 123456:key. Leave empty to use DB-IP.':
      'Identifiant de compte et clé de licence MaxMind, par exemple 123456:key. Laisser vide pour utiliser DB-IP.',
    'Another URL to download from. {kind} stands for country or city, {month} for a month such as 2026-11.':
      'Autre URL de téléchargement. {kind} représente country ou city, {month} un mois comme 2026-11.',
    'Download newer location data': 'Télécharger des données de localisation plus récentes',
    Annotations: 'Annotations',
    'Note what happened on a day, and show it in the chart of visits over time.':
      'Noter ce qui s’est passé un jour, et le montrer dans le graphique des visites.',
    Desktop: 'Ordinateur',
    Mobile: 'Mobile',
    Tablet: 'Tablette',
    Other: 'Autre',
    None: 'Aucune',
    'No rule': 'Aucune règle',
    'Direct / unknown': 'Direct / inconnu',
    Metrics: 'Métriques',
    'Answer programs that were written for the API of YOURLS.':
      'Répondre aux programmes écrits pour l’API de YOURLS.',
    'YOURLS clients': 'Clients de YOURLS',
    Name: 'Nom',
    Created: 'Créée',
    Show: 'Afficher',
    Signature: 'Signature',
    Revoke: 'Révoquer',
    'A URL that has a link already': 'Une URL qui a déjà un lien',
    'Say that it failed, as YOURLS does': 'Répondre par un échec, comme YOURLS',
    'Say that it succeeded': 'Répondre par un succès',
    'YOURLS says that it failed, with the link that there is. Programs such as n8n stop then.':
      'YOURLS répond par un échec, avec le lien existant. Des programmes comme n8n s’arrêtent alors.',
    'Signatures by MD5': 'Signatures par MD5',
    'For older programs, such as Better YOURLS. A signature is valid for 12 hours.':
      'Pour d’anciens programmes, comme Better YOURLS. Une signature est valable 12 heures.',
    'Signatures for clients of YOURLS': 'Signatures pour les clients de YOURLS',
    'A signature is an API token that can be shown again, and with which programs can sign the time. Any other API token works as a signature, too.':
      'Une signature est un jeton d’API que l’on peut afficher de nouveau, et avec lequel les programmes peuvent signer l’heure. Tout autre jeton d’API convient aussi comme signature.',
    'Programs that have it can do nothing any more.':
      'Les programmes qui l’ont ne peuvent plus rien faire.',
    'Make a signature': 'Créer une signature',
    'Answer programs that were written for the API of Shlink.':
      'Répondre aux programmes écrits pour l’API de Shlink.',
    'Shlink clients': 'Clients de Shlink',
    'Answer programs that were written for the API of Kutt.':
      'Répondre aux programmes écrits pour l’API de Kutt.',
    'Kutt clients': 'Clients de Kutt',
    'Show metrics of the instance to Prometheus.':
      'Montrer les métriques de l’instance à Prometheus.',
    'Delete links for good': 'Supprimer définitivement des liens',
    'Clean up the counts': 'Nettoyer les compteurs',
    'Delete ended sessions': 'Supprimer les sessions terminées',
    'Finish the deletion of accounts': 'Terminer la suppression de comptes',
    'Delete old idempotency keys': 'Supprimer les anciennes clés d’idempotence',
    'Drop events that nobody takes': 'Abandonner les événements que personne ne prend',
    'Back up the database': 'Sauvegarder la base de données',
    'Update the block lists': 'Mettre à jour les listes de blocage',
    'Scan all addresses again': 'Analyser de nouveau toutes les adresses',
    'Delete expired tokens': 'Supprimer les jetons expirés',
    'Is required.': 'Est obligatoire.',
    'Is not valid.': 'N’est pas valide.',
    'Does not have the right format.': 'N’a pas le bon format.',
    'Does not have the right format: 1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.':
      'N’a pas le bon format : de 1 à 64 lettres, chiffres, traits d’union et tirets bas. Majuscules et minuscules comptent.',
    'Must have at least 1 character.': 'Doit avoir au moins 1 caractère.',
    'Must have at least {} characters.': 'Doit avoir au moins {} caractères.',
    'Must have at most {} characters.': 'Doit avoir au plus {} caractères.',
    'Choose at least one.': 'Choisissez au moins un élément.',
    'Must have at most {} items.': 'Doit avoir au plus {} éléments.',
    'Must be at least {}.': 'Doit être au moins {}.',
    'Must be at most {}.': 'Doit être au plus {}.',
    'Must be more than {}.': 'Doit être plus de {}.',
    'Must be less than {}.': 'Doit être moins de {}.',
    'Must be one of: {}.': 'Doit être l’un de ceux-ci : {}.',
    'Must be a text.': 'Doit être un texte.',
    'Must be a number.': 'Doit être un nombre.',
    'Must be a whole number.': 'Doit être un nombre entier.',
    'Must be a list.': 'Doit être une liste.',
    'Must be an object.': 'Doit être un objet.',
    'Must be a URL.': 'Doit être une URL.',
    'Must be an e-mail address.': 'Doit être une adresse e-mail.',
    'Must be a colour such as {}.': 'Doit être une couleur, par exemple {}.',
    'Must be a colour, such as {}.': 'Doit être une couleur, par exemple {}.',
    'Must be a date and time in ISO 8601, such as 2030-01-31T09:30:00Z.':
      'Doit être une date et une heure.',
    'Must be a date in ISO 8601, such as 2030-01-31.': 'Doit être une date.',
    'Must be after starts_at.': 'Doit être après le début.',
    'Must be the host of one of your verified domains.': 'Doit être l’un de vos domaines vérifiés.',
    'Must be the host of one of your verified domains, or one that is shared with your plan.':
      'Doit être l’un de vos domaines vérifiés, ou un domaine partagé avec votre formule.',
    'This domain is the instance’s.': 'Ce domaine est celui de l’instance.',
    'An account has this domain, or links on it. It has to delete the domain first.':
      'Un compte a ce domaine, ou des liens dessus. Il doit d’abord supprimer le domaine.',
    'There is no plan {}. There are: {}.': 'Il n’y a pas de formule {}. Il y a : {}.',
    'Links on this domain: {}. Accounts that they belong to: {}. They have to be moved or deleted first.':
      'Liens sur ce domaine : {}. Comptes auxquels ils appartiennent : {}. Il faut d’abord les déplacer ou les supprimer.',
    'Must be a host only, such as links.example.org, without scheme, port or path, and not an IP address.':
      'Doit être un nom de domaine seul, comme links.example.org, sans https://, port ni chemin, et pas une adresse IP.',
    'Must not have control characters, invisible spaces or marks that change the direction of the text.':
      'Ne doit contenir ni caractères de contrôle, ni espaces invisibles, ni marques de direction du texte.',
    'This field does not exist.': 'Ce champ n’existe pas.',
    'Enter a full URL, such as https://example.com/page.':
      'Saisir une URL complète, comme https://example.com/page.',
    'The URL is longer than {} characters.': 'L’URL dépasse {} caractères.',
    'The URL has a host name longer than {} characters.':
      'Le nom d’hôte de l’URL dépasse {} caractères.',
    'The URL has a host name with a part longer than {} characters.':
      'Une partie du nom d’hôte de l’URL dépasse {} caractères.',
    'The URL contains a space or a control character: escape it.':
      'L’URL contient une espace ou un caractère de contrôle : il faut l’échapper.',
    'The URL contains a space or a control character: leave it out.':
      'L’URL contient une espace ou un caractère de contrôle : il faut l’enlever.',
    'The URL must begin with http:// or https://.': 'L’URL doit commencer par http:// ou https://.',
    'The URL must begin with http://, https:// or {}.':
      'L’URL doit commencer par http://, https:// ou {}.',
    'The URL must begin with http://, https://, {} or {}.':
      'L’URL doit commencer par http://, https://, {} ou {}.',
    'The URL must begin with http:// or https://, and never with {}.':
      'L’URL doit commencer par http:// ou https://, et jamais par {}.',
    'The URL has nothing after its colon.': 'L’URL n’a rien après les deux-points.',
    'Paths after the code are for http and https URLs.':
      'Les chemins après le code sont pour les URL http et https.',
    'The link takes paths after its code, which are for http and https URLs. Empty them, or enter such a URL.':
      'Le lien accepte des chemins après son code, qui sont pour les URL http et https. Videz-les, ou saisissez une telle URL.',
    'The URL must not contain a user name or a password.':
      'L’URL ne doit contenir ni nom d’utilisateur ni mot de passe.',
    'The URL leads back to this link shortener.': 'L’URL ramène à ce raccourcisseur de liens.',
    'Enter an e-mail address, such as ada@example.org.':
      'Saisir une adresse e-mail, comme ada@example.org.',
    'Enter a password of at least {} characters.':
      'Saisir un mot de passe d’au moins {} caractères.',
    'Enter a password of at most {} characters.': 'Saisir un mot de passe d’au plus {} caractères.',
    'Choose a password that is not made of the e-mail address, the name or Linnet.':
      'Choisissez un mot de passe qui n’est pas fait de l’adresse e-mail, du nom ou de Linnet.',
    'This password is too common. Choose another, such as four random words.':
      'Ce mot de passe est trop courant. Choisissez-en un autre, par exemple quatre mots au hasard.',
    'Enter at least one value.': 'Saisir au moins une valeur.',
    'Enter a moment in the future.': 'Saisir un moment à venir.',
    'Enter a currency of ISO 4217, such as EUR.': 'Saisir une devise ISO 4217, comme EUR.',
    'The link must end after it opens.': 'La fin du lien doit suivre son ouverture.',
    'Choose for each host which short codes it has, and whether case and hyphens matter in them.':
      'Choisir pour chaque hôte quels codes courts il a, et si la casse et les tirets y comptent.',
    'Code rules': 'Règles des codes courts',
    Host: 'Hôte',
    Characters: 'Caractères',
    'Letters, digits, - and _': 'Lettres, chiffres, - et _',
    'Any path, Unicode and emojis too': 'Tout chemin, Unicode et emojis compris',
    'Upper and lower case': 'Majuscules et minuscules',
    'As written': 'Comme écrits',
    'Any case': 'Indifférentes',
    Hyphens: 'Tirets',
    'They matter': 'Ils comptent',
    'They make no difference': 'Ils ne comptent pas',
    'Empty: the host of this instance, which admins may change.':
      'Vide : l’hôte de cette instance, que les administrateurs peuvent changer.',
    'Short codes of a host': 'Codes courts d’un hôte',
    'Which short codes a host has. Links that exist keep theirs.':
      'Quels codes courts a un hôte. Les liens existants gardent le leur.',
    'Change the rules': 'Changer les règles',
    'Codes that nobody chose': 'Codes que personne n’a choisis',
    'None has letters or digits that look alike, such as 0 and O, or 1, l and I.':
      'Aucun n’a de lettres ni de chiffres qui se ressemblent, comme 0 et O, ou 1, l et I.',
    '7 small and capital letters and digits': '7 minuscules, majuscules et chiffres',
    '8 small letters and digits': '8 minuscules et chiffres',
    'Words, as brave-otter': 'Des mots, comme brave-otter',
    'A short code cannot contain {}.': 'Un code court ne peut pas contenir {}.',
    'A short code has at most {} bytes; a letter beyond ASCII has 2 to 4.':
      'Un code court a au plus {} octets ; un caractère hors ASCII en a 2 à 4.',
    'A short code has no slash at its beginning or its end, and no two in a row.':
      'Un code court n’a pas de barre oblique au début ni à la fin, ni deux de suite.',
    'A short code has at most {} parts between slashes.':
      'Un code court a au plus {} parties entre des barres obliques.',
    'No part of a short code can be . or .., because browsers take these out.':
      'Aucune partie d’un code court ne peut être . ou .., car les navigateurs les enlèvent.',
    'A short code cannot end with {}, which shows a page about a link.':
      'Un code court ne peut pas finir par {}, qui montre une page sur un lien.',
    'Codes of different links would be the same: {}. Change or delete one of each first.':
      'Des codes de liens différents seraient les mêmes : {}. Changez ou supprimez d’abord l’un de chaque.',
    'Links have codes that only the wide grammar has: {}. Change or delete them first.':
      'Des liens ont des codes que seuls tous les chemins permettent : {}. Changez-les ou supprimez-les d’abord.',
    'The short code {} is taken.': 'Le code court {} est déjà pris.',
    'The short code {} is taken on {}. Codes stay with the account that had them, also when a host passes to another.':
      'Le code court {} est déjà pris sur {}. Les codes restent au compte qui les avait, même quand un hôte passe à un autre.',
    'The short code {} is reserved.': 'Le code court {} est réservé.',
    'You already have a tag with this name.': 'Vous avez déjà une étiquette de ce nom.',
    'You already have a campaign with this name.': 'Vous avez déjà une campagne de ce nom.',
    'You already have a saved search with this name.': 'Vous avez déjà une recherche de ce nom.',
    'You already have this domain.': 'Vous avez déjà ce domaine.',
    'This is the host of this instance: every account can use it.':
      'C’est l’hôte de cette instance : chaque compte peut l’utiliser.',
    'Creating links is switched off on this instance.':
      'La création de liens est désactivée sur cette instance.',
    'Your plan allows {} new links per month, and you have created {}. The count starts again on the first day of next month (UTC).':
      'Votre formule permet {} nouveaux liens par mois, et vous en avez créé {}. Le compte reprend le premier du mois prochain (UTC).',
    'Too many attempts. Wait {}.': 'Trop de tentatives. Attente : {}.',
    '{} has {}, and its write-ahead log {}.': '{} fait {}, et son journal WAL {}.',
    'It is damaged: {}.': 'Elle est endommagée : {}.',
    'It is not damaged.': 'Elle n’est pas endommagée.',
    'The database is damaged.': 'La base de données est endommagée.',
    'Linnet reads all of it again by itself, in case only the disk failed for a moment.':
      'Linnet la relit en entier de lui-même, au cas où seul le disque aurait eu une défaillance passagère.',
    'If this stays, stop Linnet and restore a backup: linnet restore <backup>':
      'Si ce message persiste, arrêter Linnet et restaurer une sauvegarde : linnet restore <backup>',
    'Stop Linnet and restore a backup: linnet restore <backup>':
      'Arrêter Linnet et restaurer une sauvegarde : linnet restore <backup>',
    'Find the program that keeps the database open, such as a backup tool, and end it, or restart Linnet.':
      'Chercher le programme qui garde la base de données ouverte, comme un outil de sauvegarde, et l’arrêter, ou redémarrer Linnet.',
    'The newest of {} backups is from {}.': 'La plus récente de {} sauvegardes date du {}.',
    'There is no backup yet.': 'Il n’y a pas encore de sauvegarde.',
    'Nightly backups are off: set LINNET_BACKUPS_KEPT, or back up the database in another way.':
      'Les sauvegardes nocturnes sont désactivées : définir LINNET_BACKUPS_KEPT ou sauvegarder la base de données autrement.',
    'The folder {} cannot be used: {}.': 'Le dossier {} est inutilisable : {}.',
    'Make it a folder that the user who runs Linnet can read and write: no backup can be made before.':
      'En faire un dossier que l’utilisateur qui exécute Linnet peut lire et écrire : aucune sauvegarde n’est possible avant.',
    'Check under Admin → Jobs why the nightly backup fails, or run: linnet backup':
      'Voir dans Admin → Tâches pourquoi la sauvegarde nocturne échoue, ou lancer : linnet backup',
    '{} are free on the disk of {}.': '{} sont libres sur le disque de {}.',
    'Free up space: when the disk is full, links keep working but nothing is saved.':
      'Libérer de la place : quand le disque est plein, les liens fonctionnent encore, mais rien n’est enregistré.',
    'Free up space: a backup of the database takes {}.':
      'Libérer de la place : une sauvegarde de la base de données prend {}.',
    '{} belongs to uid {} and has mode {}.': '{} appartient à l’uid {} et a le mode {}.',
    'Other users of this machine can read it.':
      'D’autres utilisateurs de cette machine peuvent le lire.',
    'Run: chmod o= {}.': 'Lancer : chmod o= {}.',
    'Keep nothing else in it.': 'N’y garder rien d’autre.',
    'The clock of this machine says {}.': 'L’horloge de cette machine indique {}.',
    'But the database was last written after that, at {}.':
      'Mais la base de données a été écrite après cela, à {}.',
    'Set the clock, and keep it correct with systemd-timesyncd or chrony.':
      'Régler l’horloge, et la garder à l’heure avec systemd-timesyncd ou chrony.',
    '{} of visitors are unknown: no location data is installed for them.':
      '{} des visiteurs : inconnus, car aucune donnée de localisation n’est installée pour eux.',
    '{} of visitors come from data of {}, {} days ago.':
      '{} des visiteurs : d’après des données du {}, il y a {} jours.',
    '{} of visitors {}; the log says why.': '{} des visiteurs : {} ; le journal dit pourquoi.',
    '{} of visitors {}: {} cannot be read: {}.':
      '{} des visiteurs : {} ; {} ne peut pas être lu : {}.',
    Countries: 'Pays',
    Cities: 'Villes',
    'are unknown': 'inconnus',
    'come from old data, because the file is missing or damaged now':
      'd’après d’anciennes données, car le fichier manque ou est endommagé',
    'Put an MMDB file there, or set LINNET_GEOIP_FILE to one and start again.':
      'Y mettre un fichier MMDB, ou en donner un par LINNET_GEOIP_FILE et redémarrer.',
    'Update the location data: see “Countries and cities” in docs/configuration.md.':
      'Mettre à jour les données de localisation : voir « Countries and cities » dans docs/configuration.md.',
    'No running plugin needs the location of visitors.':
      'Aucun plugin actif n’a besoin de la localisation des visiteurs.',
    'This request came from {}, with X-Forwarded-For: {}.':
      'Cette requête vient de {}, avec X-Forwarded-For : {}.',
    'That header is not trusted, so all visitors seem to come from {}.':
      'On ne se fie pas à cet en-tête : tous les visiteurs semblent venir de {}.',
    'It names fewer addresses than LINNET_TRUSTED_PROXIES, which is {}, so visitors can fake their IP address.':
      'Il nomme moins d’adresses que LINNET_TRUSTED_PROXIES, qui vaut {} : les visiteurs peuvent falsifier leur adresse IP.',
    'Set LINNET_TRUSTED_PROXIES to the number of proxies that each request passes, or better to their networks.':
      'Définir LINNET_TRUSTED_PROXIES avec le nombre de proxys que traverse chaque requête, ou mieux avec leurs réseaux.',
    'If {} is your proxy, set LINNET_TRUSTED_PROXIES={}, or its network.':
      'Si {} est votre proxy, définir LINNET_TRUSTED_PROXIES={}, ou son réseau.',
    'But LINNET_TRUSTED_PROXIES says that there is a proxy.':
      'Mais d’après LINNET_TRUSTED_PROXIES il y a un proxy.',
    'Let the proxy send X-Forwarded-For.': 'Faire envoyer X-Forwarded-For par le proxy.',
    'If this request bypassed the proxy, send it through the proxy.':
      'Si cette requête a contourné le proxy, l’envoyer par le proxy.',
    'It was for the host {}, but short URLs begin with {}.':
      'Elle était pour l’hôte {}, mais les URL courtes commencent par {}.',
    'Set LINNET_BASE_URL to the address that visitors use, or let the proxy pass on the Host header unchanged.':
      'Donner à LINNET_BASE_URL l’adresse que les visiteurs utilisent, ou faire transmettre l’en-tête Host par le proxy sans le changer.',
    'Linnet takes it as a request from {}, for {}.':
      'Linnet la prend pour une requête de {}, pour {}.',
    'Linnet takes it as a request from {}, since LINNET_TRUSTED_PROXIES names no proxy before that.':
      'Linnet la prend pour une requête de {}, car LINNET_TRUSTED_PROXIES ne nomme aucun proxy avant.',
    'If {} is a proxy of yours too, let LINNET_TRUSTED_PROXIES count or name it, or all its visitors count as one.':
      'Si {} est aussi un de vos proxys, le compter ou le nommer dans LINNET_TRUSTED_PROXIES, sinon tous ses visiteurs comptent pour un seul.',
    'But short URLs begin with {}, so a proxy must be in front, and all its visitors seem to come from {}.':
      'Mais les URL courtes commencent par {} : il y a donc un proxy devant, et tous ses visiteurs semblent venir de {}.',
    'Let the proxy send X-Forwarded-For, and set LINNET_TRUSTED_PROXIES to its network.':
      'Faire envoyer X-Forwarded-For par le proxy, et donner son réseau à LINNET_TRUSTED_PROXIES.',
    'PostgreSQL {} has {} of Linnet.': 'PostgreSQL {} a {} de Linnet.',
    'fsync is off: a power cut can destroy the database.':
      'fsync est désactivé : une coupure de courant peut détruire la base de données.',
    'Set fsync = on in postgresql.conf and reload the server.':
      'Mettre fsync = on dans postgresql.conf et recharger le serveur.',
    'No server runs on this database at present.':
      'Aucun serveur n’utilise cette base de données en ce moment.',
    'Servers on this database: {}.': 'Serveurs sur cette base de données : {}.',
    'The clock of this machine says {}, that of PostgreSQL {}.':
      'L’horloge de cette machine indique {}, celle de PostgreSQL {}.',
    'Links open and end at different times on servers whose clocks differ.':
      'Les liens s’ouvrent et se terminent à des heures différentes sur des serveurs dont les horloges diffèrent.',
    '{} does not run on this server, so links that it protects are closed here: {}.':
      '{} ne fonctionne pas sur ce serveur : les liens qu’il protège y sont fermés : {}.',
    'Install it on this server, or switch it on.': 'L’installer sur ce serveur, ou l’activer.',
    'Update all to the same version: older versions were not tested with data of newer ones.':
      'Mettre tous à la même version : les anciennes n’ont pas été testées avec les données des nouvelles.',
    'PostgreSQL archived its write-ahead log last at {}, and failed at {}.':
      'PostgreSQL a archivé son journal WAL pour la dernière fois à {}, et a échoué à {}.',
    '{}, and failed at {}.': '{}, et cela a échoué à {}.',
    'PostgreSQL has never archived its write-ahead log':
      'PostgreSQL n’a jamais archivé son journal WAL',
    'PostgreSQL archived its write-ahead log last at {}, which is long ago, and Linnet cannot see whether you make dumps.':
      'PostgreSQL a archivé son journal WAL pour la dernière fois à {}, il y a longtemps, et Linnet ne voit pas si vous faites des dumps.',
    'PostgreSQL archived its write-ahead log last at {}.':
      'PostgreSQL a archivé son journal WAL pour la dernière fois à {}.',
    'That does not show when the last base backup was made: make sure that pg_basebackup makes one each week.':
      'Cela ne dit pas quand la dernière sauvegarde de base a été faite : veiller à ce que pg_basebackup en fasse une chaque semaine.',
    'PostgreSQL archives no write-ahead log, and Linnet cannot see whether you make dumps.':
      'PostgreSQL n’archive pas de journal WAL, et Linnet ne voit pas si vous faites des dumps.',
    'The log of PostgreSQL says why: correct archive_command, and make sure that its disk has space.':
      'Le journal de PostgreSQL dit pourquoi : corriger archive_command, et veiller à ce que son disque ait de la place.',
    'Run pg_dump --format=custom each night, or set up archiving, and copy plugins/ of the data folder too.':
      'Lancer pg_dump --format=custom chaque nuit, ou mettre en place l’archivage, et copier aussi plugins/ du dossier de données.',
    'The database does not respond.': 'La base de données ne répond pas.',
    'The log says why.': 'Le journal dit pourquoi.',
    'Links work, but nothing can be written: {}.':
      'Les liens fonctionnent, mais rien ne peut être écrit : {}.',
    'The write-ahead log was damaged or missing at the start.':
      'Le journal WAL était endommagé ou absent au démarrage.',
    'The last changes before it may be lost.':
      'Les derniers changements avant cela sont peut-être perdus.',
    'Visits cannot be written: {}.': 'Les visites ne peuvent pas être écrites : {}.',
    '{} are waiting.': '{} attendent.',
    'Events wait for {}, which failed of the next one: {}.':
      'Des événements attendent {}, qui a échoué sur le prochain : {}.',
    'Failures in a row: {}.': 'Échecs de suite : {}.',
    'Events for {} were dropped, because more than {} waited: {}.':
      'Des événements pour {} ont été abandonnés, car plus de {} attendaient : {}.',
    '{} does not run: {}.': '{} ne fonctionne pas : {}.',
    '{} runs as before its last change: {}.':
      '{} fonctionne comme avant son dernier changement : {}.',
    'A newer version of {}, of another server or installed here before, has changed its tables: install that version.':
      'Une version plus récente de {}, d’un autre serveur ou installée ici auparavant, a changé ses tables : installer cette version.',
    'The settings, in settings.json of the data folder or in the database, are invalid and not in effect.':
      'Les réglages, dans settings.json du dossier de données ou dans la base de données, ne sont pas valables et ne s’appliquent pas.',
    'Correct them; the log says what is wrong.': 'Les corriger ; le journal dit ce qui ne va pas.',
    '{} has been running for {} minutes.': '{} est en cours depuis {} minutes.',
    'The last run of {} failed.': 'La dernière exécution de {} a échoué.',
    'All environment variables are valid.': 'Toutes les variables d’environnement sont valables.',
    'Tell accounts by mail what happens to their links, limits, webhooks and imports.':
      'Dire aux comptes par e-mail ce qui arrive à leurs liens, limites, webhooks et importations.',
    Notices: 'Notifications',
    'What you are told by mail. Much of the same comes as one mail.':
      'Ce que vous apprenez par e-mail. Ce qui se ressemble vient en un seul message.',
    'No plugin of this instance sends mail':
      'Aucune extension de cette instance n’envoie d’e-mails',
    'Your address is not taken': 'Votre adresse n’est pas acceptée',
    'A limit of the plan is nearly reached, or reached':
      'Une limite de l’offre est presque atteinte, ou atteinte',
    'Links end soon': 'Des liens se terminent bientôt',
    'Links are blocked': 'Des liens sont bloqués',
    'Addresses of links do not answer': 'Des adresses de liens ne répondent pas',
    'Webhooks are switched off': 'Des webhooks sont désactivés',
    'Imports have ended': 'Des importations sont terminées',
    'Numbers of the week, on Monday': 'Les chiffres de la semaine, le lundi',
    'What other plugins say': 'Ce que disent d’autres extensions',
    'Such as Europe/Berlin. Mails go by day.': 'Comme Europe/Paris. Les e-mails partent le jour.',
    'Send a test': 'Envoyer un essai',
    'Language of mails': 'Langue des e-mails',
    'Each account can choose another one.': 'Chaque compte peut en choisir une autre.',
    'Mails go by day. Each account can choose another one. Such as Europe/Berlin.':
      'Les e-mails partent le jour. Chaque compte peut en choisir un autre. Comme Europe/Paris.',
    'Tell of links that end soon': 'Signaler les liens qui se terminent bientôt',
    'Send notices': 'Envoyer les notifications',
    'Look for limits that are reached': 'Chercher les limites atteintes',
    'Look for whom the week is over': 'Chercher pour qui la semaine est finie',
    'Forget old notices': 'Oublier les anciennes notifications',
    'Save notices': 'Enregistrer les notifications',
    Sent: 'Envoyé',
    'Let visitors make accounts, with a link in a mail, within limits that you set.':
      'Laisser les visiteurs créer des comptes, par un lien dans un e-mail, dans les limites que vous fixez.',
    'Sign-ups': 'Inscriptions',
    'Accounts that visitors made for themselves.':
      'Les comptes que des visiteurs ont créés eux-mêmes.',
    Now: 'Maintenant',
    Open: 'Ouvert',
    'Not confirmed yet': 'Pas encore confirmé',
    'At most': 'Au plus',
    'Who signed up': 'Qui s’est inscrit',
    'Signed up': 'Inscrit le',
    'E-mail address': 'Adresse e-mail',
    'Of e-mail addresses, one in each line, such as example.org. If empty, all.':
      'D’adresses e-mail, un par ligne, comme example.org. Si vide, tous.',
    'Slug of the plan that new accounts get, such as free. If empty, the usual one.':
      'Identifiant de l’offre des nouveaux comptes, comme free. Si vide, l’offre habituelle.',
    'Most accounts': 'Nombre maximal de comptes',
    'So many accounts may come by sign-ups. Deleted ones do not count.':
      'Tant de comptes peuvent venir d’inscriptions. Ceux qui sont supprimés ne comptent pas.',
    'Most mails in an hour': 'Nombre maximal d’e-mails par heure',
    'For all visitors together; each client gets at most five.':
      'Pour tous les visiteurs ensemble ; chaque client en reçoit cinq au plus.',
    'Send mails for sign-ups': 'Envoyer les e-mails des inscriptions',
    'Forget sign-ups that nobody confirmed': 'Oublier les inscriptions non confirmées',
    Closed: 'Fermé',
    Plan: 'Offre',
    'Let assistants that speak the Model Context Protocol work with links, with the scopes of a token.':
      'Laisser des assistants qui parlent le Model Context Protocol travailler avec les liens, dans les limites d’un jeton.',
    MCP: 'MCP',
    'Second factor': 'Second facteur',
    'Who must have a second factor': 'Qui doit avoir un second facteur',
    'Who has none sets it up at the next sign-in with a password. Providers ask in their own way.':
      'Qui n’en a pas le configure à la prochaine connexion par mot de passe. Les fournisseurs demandent à leur manière.',
    Nobody: 'Personne',
    Admins: 'Admins',
    Everybody: 'Tout le monde',
    On: 'Activé',
    Off: 'Désactivé',
    'Recovery codes left': 'Codes de secours restants',
    'Code that the app shows': 'Code affiché par l’application',
    'Switch on': 'Activer',
    'Recovery codes': 'Codes de secours',
    'New recovery codes': 'Nouveaux codes de secours',
    'Those that you have will no longer work.': 'Ceux que vous avez ne marcheront plus.',
    'Switch off': 'Désactiver',
    'The password alone will be enough to sign in.':
      'Le mot de passe seul suffira pour se connecter.',
    'Picture to scan': 'Image à scanner',
    Secret: 'Secret',
    'Address for apps': 'Adresse pour applications',
    'Authenticator app': 'Application d’authentification',
    'Audit log': 'Journal des changements',
    'Keep who changed what, and bring back what links were before.':
      'Garder qui a changé quoi, et ramener ce que les liens étaient avant.',
    'Days to keep': 'Jours à garder',
    'IP addresses': 'Adresses IP',
    'From where a change came, with each entry. This is personal data: a network, such as 203.0.113.0/24, says less.':
      'D’où est venu un changement, dans chaque entrée. Ce sont des données personnelles : un réseau, comme 203.0.113.0/24, en dit moins.',
    'Are not kept': 'Ne sont pas gardées',
    'Only their networks': 'Seulement leurs réseaux',
    'Are kept': 'Sont gardées',
    IP: 'IP',
    'Older entries are deleted every night.':
      'Les entrées plus anciennes sont supprimées chaque nuit.',
    'Delete old entries of the audit log': 'Supprimer les anciennes entrées du journal',
    'Check the audit log': 'Vérifier le journal des changements',
    'Who changed what, and when.': 'Qui a changé quoi, et quand.',
    Changes: 'Changements',
    Who: 'Qui',
    What: 'Quoi',
    Kind: 'Type',
    Domains: 'Domaines',
    'API tokens': 'Jetons d’API',
    'Sign-ins': 'Connexions',
    'Second steps': 'Secondes étapes',
    'Accounts at providers': 'Comptes de fournisseurs',
    'Lost events': 'Événements perdus',
    Settings: 'Réglages',
    Plugins: 'Extensions',
    Download: 'Télécharger',
    History: 'Historique',
    'Who changed this link. What a change replaced can come back.':
      'Qui a changé ce lien. Ce qu’un changement a remplacé peut revenir.',
    Undo: 'Annuler',
    'The link gets back what this change replaced.':
      'Le lien récupère ce que ce changement a remplacé.',
    'Sign in with a passkey alone, or with the password and a code of an app or a passkey, for who wants it, or must.':
      'Se connecter avec une clé d’accès seule, ou avec le mot de passe et un code d’une application ou une clé d’accès, pour qui le veut ou le doit.',
    'An authenticator app or a passkey, asked for when you sign in.':
      'Une application d’authentification ou une clé d’accès, demandée à la connexion.',
    Passkeys: 'Clés d’accès',
    'Set up an app': 'Configurer une application',
    'Add a passkey': 'Ajouter une clé d’accès',
    'Your passkeys': 'Vos clés d’accès',
    'Where one was lost or sold, delete it here.': 'Si l’une est perdue ou vendue, retirez-la ici.',
    'Last used': 'Dernière utilisation',
    'Where the passkey is.': 'Où se trouve la clé d’accès.',
    'Signs you in': 'Vous connecte',
    'Without the password': 'Sans le mot de passe',
    'After the password': 'Après le mot de passe',
    'Signs me in without the password': 'Me connecte sans le mot de passe',
    'The device asks for a finger, a face or a PIN.':
      'L’appareil demande un doigt, un visage ou un code PIN.',
    'a passkey': 'clé d’accès',
    Save: 'Enregistrer',
    'Nobody signs in with this passkey any more. Without another one and without an app, the password alone will be enough.':
      'Plus personne ne se connectera avec cette clé d’accès. Sans une autre et sans application, le mot de passe suffira.',
    Passkey: 'Clé d’accès',
    'Passkeys that were made at {} do not work at {}: {}.':
      'Des clés d’accès créées sur {} ne fonctionnent pas sur {} : {}.',
    'Their owners sign in by their app or a recovery code, and add a passkey anew.':
      'Leurs propriétaires se connectent avec leur application ou un code de secours, et ajoutent une nouvelle clé d’accès.',
    'Or give the dashboard its former address again.':
      'Ou rendre au tableau de bord son ancienne adresse.',
    'This plugin could not say whether something is wrong.':
      'Cette extension n’a pas pu dire si quelque chose ne va pas.',
    'See the log of the server; docs/logs.md explains its messages.':
      'Voir le journal du serveur ; docs/logs.md explique ses messages.',
    When: 'Quand',
    Event: 'Événement',
    'Reads the export of another Linnet: JSON lines of GET /export or of linnet export.':
      'Lit l’export d’un autre Linnet : des lignes JSON de GET /export ou de linnet export.',
    'Reads a running Shlink over its REST API, a dump of its database, its SQLite file, or a CSV file of its web client.':
      'Lit un Shlink en service par son API REST, un dump de sa base de données, son fichier SQLite, ou un fichier CSV de son client web.',
    'Address of Shlink': 'Adresse de Shlink',
    'Only without a file, such as https://s.test.': 'Seulement sans fichier, comme https://s.test.',
    'API key': 'Clé d’API',
    'Only without a file: from shlink api-key:generate, without roles.':
      'Seulement sans fichier : celle de shlink api-key:generate, sans rôles.',
    'Time zone': 'Fuseau horaire',
    'In which a database or a CSV file has its dates: the TIMEZONE of Shlink.':
      'Celui des dates d’une base de données ou d’un fichier CSV : TIMEZONE de Shlink.',
    'Reads a dump of the database of Kutt, or its SQLite file, with all visits and passwords, or its API, which has less of both.':
      'Lit un dump de la base de données de Kutt ou son fichier SQLite, avec toutes les visites et tous les mots de passe, ou son API, qui a moins des deux.',
    'Address of Kutt': 'Adresse de Kutt',
    'Only without a file, such as https://kutt.test.':
      'Seulement sans fichier, comme https://kutt.test.',
    'Only without a file: from the settings of Kutt.':
      'Seulement sans fichier : celle des paramètres de Kutt.',
    'Links of all users': 'Liens de tous les utilisateurs',
    'Over the API, with the key of an admin. Files always have those of all users.':
      'Par l’API, avec la clé d’un admin. Les fichiers ont toujours ceux de tous.',
    'In which a dump of MySQL or MariaDB has its dates: that of the database.':
      'Celui des dates d’un dump de MySQL ou MariaDB : celui de la base de données.',
    'Reads a dump of the database of YOURLS with all visits, the CSV file of its plugin Import Export, or its API, which has links with sums of visits.':
      'Lit un dump de la base de données de YOURLS avec toutes les visites, le fichier CSV de son extension Import Export, ou son API, qui a les liens avec des sommes de visites.',
    'Address of YOURLS': 'Adresse de YOURLS',
    'Only without a file, such as https://sho.rt.': 'Seulement sans fichier, comme https://sho.rt.',
    'Only without a file: the secret signature token on the page Tools of YOURLS.':
      'Seulement sans fichier : le jeton de signature secret de la page Tools de YOURLS.',
    'Prefix of its tables': 'Préfixe de ses tables',
    'Only if a dump has the tables of several, such as yourls_.':
      'Seulement si un dump a les tables de plusieurs, comme yourls_.',
    'In which YOURLS wrote dates: UTC, whatever it shows, unless a plugin changed it.':
      'Celui dans lequel YOURLS a écrit les dates : UTC, quoi qu’il montre, sauf si un plugin l’a changé.',
    Export: 'Exporter',
    'Take links away, with their visits, tags and campaigns. Another Linnet imports such a file.':
      'Emporter les liens, avec leurs visites, étiquettes et campagnes. Un autre Linnet importe un tel fichier.',
    'One file of JSON lines. Passwords of links are not in it.':
      'Un fichier de lignes JSON. Les mots de passe des liens n’y sont pas.',
    'All accounts': 'Tous les comptes',
    'The same of the whole instance. On the server, linnet export writes it with the hashes of passwords.':
      'La même chose de toute l’instance. Sur le serveur, linnet export l’écrit avec les empreintes des mots de passe.',
    'Without Linnet': 'Sans Linnet',
    'Download for other servers': 'Télécharger pour d’autres serveurs',
    'Files with which nginx, Caddy, HAProxy, a static host or a program of yours redirects as your links do. What Linnet has to ask or decide at each visit is left out, and listed.':
      'Des fichiers avec lesquels nginx, Caddy, HAProxy, un hébergement statique ou l’un de vos programmes redirige comme vos liens. Ce que Linnet doit demander ou décider à chaque visite n’y est pas, et figure dans une liste.',
    'Redirect with 301, as YOURLS does': 'Rediriger avec 301, comme YOURLS',
    'Redirect with 301, as Bitly does': 'Rediriger avec 301, comme Bitly',
    'Redirect with 308, as Chhoto URL does': 'Rediriger avec 308, comme Chhoto URL',
    'Redirect with 301, as Polr does': 'Rediriger avec 301, comme Polr',
    'Redirect with 301, as Rebrandly does': 'Rediriger avec 301, comme Rebrandly',
    'Redirect with 301, as Sink does': 'Rediriger avec 301, comme Sink',
    'Browsers keep that, and their later visits are not counted. Otherwise links redirect as others here do.':
      'Les navigateurs le gardent, et leurs visites suivantes ne sont pas comptées. Sinon, les liens redirigent comme les autres ici.',
    'Reads a dump of the database of Polr 2, with secret links, visits and users.':
      'Lit un dump de la base de données de Polr 2, avec liens secrets, visites et utilisateurs.',
    'In which Polr writes its dates: UTC, unless you changed it.':
      'Celui dans lequel Polr écrit ses dates : UTC, sauf si vous l’avez changé.',
    'Reads the SQLite file of Chhoto URL, or its API, with links, notes, ends and sums of visits.':
      'Lit le fichier SQLite de Chhoto URL ou son API, avec liens, notes, dates de fin et sommes de visites.',
    'Address of Chhoto URL': 'Adresse de Chhoto URL',
    'Only without a file, such as https://c.test.': 'Seulement sans fichier, comme https://c.test.',
    'Only without a file: its CHHOTO_API_KEY.': 'Seulement sans fichier : sa CHHOTO_API_KEY.',
    'Reads the links of all groups from the API of Bitly, with an access token, or a CSV file that Bitly exported.':
      'Lit les liens de tous les groupes par l’API de Bitly, avec un jeton d’accès, ou un fichier CSV exporté par Bitly.',
    'An access token, from Settings, API.': 'Un jeton d’accès, dans Settings, API.',
    API: 'API',
    'Where its API is. Change it only if yours is elsewhere.':
      'Où est son API. À changer seulement si la vôtre est ailleurs.',
    'Visits by day': 'Visites par jour',
    'One request for each link, of which Bitly takes some 1,500 an hour.':
      'Une requête par lien ; Bitly en accepte environ 1 500 par heure.',
    'Countries and referers': 'Pays et référents',
    'Two more requests for each day on which a link was visited.':
      'Deux requêtes de plus pour chaque jour où un lien a été visité.',
    'Reads the links of a workspace from the API of Dub, with a key of it, or a CSV file that Dub exported.':
      'Lit les liens d’un espace de travail par l’API de Dub, avec une clé de celui-ci, ou un fichier CSV exporté par Dub.',
    'From Settings, API Keys of the workspace, for reading links, domains and tags.':
      'Dans Settings, API Keys de l’espace de travail, pour lire liens, domaines et étiquettes.',
    'Reads the links of a workspace from the API of Rebrandly, with an API key, or a CSV file that Rebrandly exported.':
      'Lit les liens d’un espace de travail par l’API de Rebrandly, avec une clé d’API, ou un fichier CSV exporté par Rebrandly.',
    'From Account, API keys.': 'Dans Account, API keys.',
    Workspace: 'Espace de travail',
    'Its id, if it is not the main one of the key.':
      'Son id, si ce n’est pas le principal de la clé.',
    'Reads the domains and links of an account from the API of Short.io, with a secret key, or a CSV file that Short.io exported.':
      'Lit les domaines et liens d’un compte par l’API de Short.io, avec une clé secrète, ou un fichier CSV exporté par Short.io.',
    'A secret key, from Integrations & API.': 'Une clé secrète, dans Integrations & API.',
    'Where visitors of some countries go. One request for each link.':
      'Où vont les visiteurs de certains pays. Une requête par lien.',
    'Reads all links from a server of Sink, with its site token, or the JSON file that it exports or backs up.':
      'Lit tous les liens d’un serveur de Sink, avec son jeton de site, ou le fichier JSON qu’il exporte ou sauvegarde.',
    Server: 'Serveur',
    'The address of your Sink, such as https://sink.example.com.':
      'L’adresse de votre Sink, comme https://sink.example.com.',
    'The site token with which you sign in there.':
      'Le jeton de site avec lequel vous vous y connectez.',
    'Upper and lower case matter': 'Majuscules et minuscules comptent',
    'Only if NUXT_CASE_SENSITIVE is true there.': 'Seulement si NUXT_CASE_SENSITIVE y vaut true.',
    'Reads a CSV file of a host, from the data of Firebase Dynamic Links in Google Takeout.':
      'Lit un fichier CSV d’un hôte, des données de Firebase Dynamic Links dans Google Takeout.',
    'CSV file': 'Fichier CSV',
    'Reads a table of links with commas, semicolons, tabs or bars, as spreadsheets and most shorteners export them.':
      'Lit un tableau de liens avec virgules, points-virgules, tabulations ou barres, comme l’exportent les tableurs et la plupart des raccourcisseurs.',
    Columns: 'Colonnes',
    'Only those whose names do not tell it: what a column has, and its name or number, such as code=Back half or originalUrl=#2.':
      'Seulement celles dont le nom ne le dit pas : ce qu’a une colonne, et son nom ou son numéro, comme code=Back half ou originalUrl=#2.',
    'In which dates are that do not name one, such as Europe/Berlin.':
      'Celui des dates qui n’en nomment pas, comme Europe/Berlin.',
    'To read files, a server needs 192 MiB of memory, and this one has less. Give it more, or run linnet import on its machine, outside of the container or service that has so little.':
      'Pour lire des fichiers, il faut 192 Mio de mémoire à un serveur, et celui-ci en a moins. Donnez-lui-en plus, ou lancez linnet import sur sa machine, hors du conteneur ou du service qui en a si peu.',
  },
  problems: {
    malformed_request: 'La requête n’est pas du HTTP valide.',
    malformed_json: 'La requête n’est pas du JSON valide.',
    unauthenticated: 'Il faut être connecté.',
    invalid_token: 'Le jeton d’API est inconnu, expiré ou révoqué.',
    invalid_credentials: 'L’adresse e-mail ou le mot de passe est incorrect.',
    second_step_required: 'Ce compte demande une seconde étape.',
    fresh_sign_in_required: 'Pour cela, identifiez-vous de nouveau.',
    domain_not_allowed:
      'Votre adresse ne permet pas de se connecter ici. Demandez à un administrateur.',
    group_not_allowed:
      'Vous n’êtes dans aucun groupe qui peut se connecter ici. Demandez à un administrateur.',
    account_suspended: 'Ce compte est suspendu. Demandez à l’exploitant de ce site.',
    link_suspended: 'Ce lien est suspendu.',
    no_account:
      'Il n’y a pas de compte pour vous ici. Demandez-en un à un administrateur, ou connectez-vous avec votre mot de passe.',
    not_proven:
      'L’autre serveur n’a pas demandé qui vous êtes. Déconnectez-vous là-bas et ici, puis reconnectez-vous.',
    other_account: 'Ce compte n’est pas celui de cette session.',
    sign_in_expired:
      'La connexion a pris trop de temps ou a commencé dans un autre navigateur. Réessayez.',
    wrong_answer: 'La réponse est fausse.',
    invalid_ticket: 'Cela a pris trop de temps. Connectez-vous de nouveau.',
    passwords_off:
      'Ce compte ne se connecte pas ici par mot de passe. Connectez-vous par l’un des autres serveurs.',
    provider_refused: 'L’autre serveur ne vous a pas connecté.',
    sign_in_failed: 'La connexion là-bas n’a pas abouti. Réessayez plus tard.',
    second_step_unavailable:
      'La seconde étape n’est pas disponible pour le moment. Réessayez plus tard, ou prévenez l’administrateur du serveur.',
    insufficient_scope: 'Seuls les admins le peuvent, ou le jeton n’a pas l’autorisation.',
    feature_not_in_plan: 'Votre formule ne le comprend pas.',
    feature_disabled: 'C’est désactivé sur cette instance.',
    plan_limit_reached: 'La limite de votre formule est atteinte.',
    limit_reached: 'La limite de cette instance est atteinte.',
    mail_uncertain: 'Le serveur de messagerie n’a pas dit s’il a accepté le message.',
    mail_put_off: 'Le serveur de messagerie n’accepte ce message que plus tard.',
    forbidden_origin: 'Une page d’ailleurs ne peut pas parler au serveur MCP.',
    sign_up_closed: 'Personne ne peut créer de compte ici maintenant.',
    sign_up_over: 'Le lien pour créer un compte a été utilisé ou a expiré.',
    mail_failed: 'Le courrier n’a pas pu être envoyé ; le journal dit pourquoi.',
    mail_invalid: 'Le courrier n’a pas d’adresse, de sujet ou de texte valides.',
    mail_off: 'Aucune extension active n’envoie de courrier.',
    mail_refused: 'Le serveur de courrier n’accepte pas ce courrier.',
    notice_invalid: 'L’avis n’a pas de titre, de texte, de niveau ou de destinataire valides.',
    notices_off: 'Aucune extension active ne remet d’avis, ou aucune n’a pris celui-ci.',
    malformed_form: 'Le formulaire n’est pas lisible.',
    cross_site_request: 'La modification vient d’une page d’un autre site.',
    session_required: 'Il faut une session ; un jeton ne suffit pas.',
    password_required: 'Il faut créer un nouveau jeton, avec votre mot de passe.',
    invalid_code: 'Ce n’est pas le code d’installation du journal.',
    invalid_one_time_link:
      'Ce lien a été utilisé, révoqué ou remplacé, ou il a expiré. Demandez-en un nouveau à un admin.',
    answer_needed: 'Le lien pose d’abord une question au visiteur.',
    not_shown: 'Le lien a un nombre limité de visites : seule l’ouverture montre où il mène.',
    target_not_allowed: 'Le lien mène à une adresse qui n’est pas autorisée ici.',
    not_found: 'Cela n’existe pas, ou plus.',
    not_started: 'Le lien n’est pas encore ouvert.',
    method_not_allowed: 'Ce n’est pas possible ici.',
    request_timeout: 'La requête a mis trop de temps à arriver.',
    codes_collide: 'Des codes courts seraient les mêmes ou seraient perdus.',
    external_id_taken: 'Un autre lien a cet identifiant externe.',
    short_code_taken: 'Le code court est déjà pris.',
    name_taken: 'Ce nom existe déjà.',
    key_taken: 'Un autre compte a déjà cette clé.',
    email_taken: 'Un autre compte a cette adresse e-mail.',
    host_taken: 'Un autre compte prouve que ce domaine est à lui.',
    domain_in_use: 'Des liens sont sur ce domaine. Déplacez-les ou supprimez-les d’abord.',
    not_verified: 'La preuve n’a pas été trouvée.',
    idempotency_key_reused: 'L’envoi a échoué. Essayez encore.',
    request_in_progress: 'C’est encore en cours. Réessayez dans un instant.',
    outcome_unknown: 'La requête a été interrompue. Vérifiez si elle a pris effet.',
    changed_meanwhile:
      'Le compte a été modifié au même moment, ou un élément auquel la requête se réfère a été supprimé.',
    own_account:
      'C’est votre propre compte : le mot de passe se change dans les paramètres, et seul un autre admin peut vous retirer ce rôle.',
    last_way_in:
      'Rien d’autre ne connecte ce compte. Définissez d’abord un mot de passe, ou connectez-vous par un autre fournisseur.',
    last_admin: 'C’est le seul compte admin. Donnez d’abord ce rôle à un autre compte.',
    file_under_way: 'Un autre fichier est déjà en cours d’envoi.',
    import_running: 'Une importation n’est pas terminée. Attendez, ou arrêtez-la.',
    import_ended: 'Cette importation est terminée ou n’attend pas de fichier.',
    too_little_memory: 'Le serveur a trop peu de mémoire pour cela.',
    job_running: 'Cette tâche est déjà en cours.',
    backup_running: 'Une sauvegarde est déjà en cours.',
    not_supported: 'Linnet ne peut pas copier cette base de données.',
    plugin_broken: 'L’extension ne peut pas être chargée, ou ses réglages ne sont pas valides.',
    plugin_install_off: 'L’installation d’extensions est désactivée ici.',
    plugin_index_unusable: 'L’index des extensions ne peut pas être lu.',
    needs_unmet: 'Une extension dont celle-ci a besoin est désactivée.',
    needed: 'Une extension active a besoin de celle-ci.',
    fixed_by_environment: 'La variable d’environnement PLUGINS décide des extensions actives.',
    webhook_off: 'Le webhook est désactivé. Activez-le d’abord.',
    already_public: 'Ces chiffres ont déjà une page publique.',
    second_factor_on: 'Le compte a déjà un second facteur.',
    second_factor_off: 'Le compte n’a pas de second facteur.',
    cannot_be_undone: 'Cela ne peut pas être annulé.',
    audit_log_broken: 'Le journal des changements n’est plus tel qu’il fut écrit.',
    plan_taken: 'Une autre formule porte ce nom court.',
    plan_retired: 'La formule n’accepte plus de comptes.',
    plan_in_use: 'La formule est encore nécessaire ou a encore des comptes.',
    backup_unusable: 'Cette sauvegarde est inutilisable.',
    expired: 'Le lien a expiré.',
    exhausted: 'Le lien a atteint son nombre maximal de visites.',
    stale: 'Cela a été modifié ailleurs entre-temps.',
    payload_too_large: 'C’est trop volumineux pour être envoyé.',
    unsupported_media_type: 'Le serveur n’accepte pas ce format.',
    expectation_failed: 'Le serveur ne comprend pas cette requête.',
    misdirected: 'Ce serveur ne répond pas pour cet hôte.',
    validation_failed: 'Certaines indications ne sont pas valides.',
    wrong_password: 'Le mot de passe actuel est incorrect ou manque.',
    unsafe_url: 'L’URL est connue comme malveillante, ou ressemble à une autre.',
    too_many_requests: 'Trop de tentatives. Attendez un peu.',
    headers_too_large: 'La requête est trop volumineuse.',
    blocked: 'Le lien mène à une cible connue comme malveillante.',
    internal: 'C’est une erreur de Linnet, pas la vôtre. Un nouvel essai peut aider.',
    unavailable: 'Le serveur est surchargé. Réessayez plus tard.',
  },
}
