import type { ServerTexts } from '../../language/server-texts.ts'

export const serverTexts: ServerTexts = {
  sentences: {
    Scheduled: 'Geplant',
    Expired: 'Abgelaufen',
    'Limit reached': 'Limit erreicht',
    Blocked: 'Gesperrt',
    'Choose the short code of a new link.': 'Den Kurzcode eines neuen Links wählen.',
    'Custom short code': 'Eigener Kurzcode',
    Link: 'Link',
    'Short code': 'Kurzcode',
    '1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.':
      '1 bis 64 Buchstaben, Ziffern, Binde- und Unterstriche. Groß- und Kleinschreibung zählt.',
    'Change the short code of an existing link; the old one keeps working.':
      'Den Kurzcode eines vorhandenen Links ändern; der alte funktioniert weiter.',
    'Edit short code': 'Kurzcode ändern',
    '1 to 64 letters, digits, hyphens and underscores. Former short codes keep working.':
      '1 bis 64 Buchstaben, Ziffern, Binde- und Unterstriche. Frühere Kurzcodes funktionieren weiter.',
    'Change where an existing link leads.': 'Ändern, wohin ein vorhandener Link führt.',
    'Edit original URL': 'Ziel-URL ändern',
    'Original URL': 'Ziel-URL',
    'Give a new link the title of the page it leads to.':
      'Neuen Links den Titel der Seite geben, zu der sie führen.',
    'Page title': 'Seitentitel',
    'Block links to addresses that are known to be harmful.':
      'Links zu bekannten schädlichen Adressen sperren.',
    'URL scanning': 'URL-Prüfung',
    'Add UTM parameters to the original URL of a link.':
      'Der Ziel-URL eines Links UTM-Parameter hinzufügen.',
    'UTM parameters': 'UTM-Parameter',
    'These replace all five UTM parameters of the original URL, also when the URL is changed later.':
      'Sie ersetzen alle fünf UTM-Parameter der Ziel-URL, auch wenn die URL später geändert wird.',
    'Open a link at a date, and end it at a date or after a number of visits.':
      'Einen Link zu einem Zeitpunkt öffnen und zu einem Zeitpunkt oder nach einer Zahl von Besuchen beenden.',
    'Link expiration': 'Ablauf',
    'Opens at': 'Öffnet am',
    'Ends at': 'Endet am',
    'Maximum visits': 'Höchstzahl an Besuchen',
    'The link ends after this many visits, counted from when you set the limit. Previews and bots use none up, and do not see where the link leads.':
      'Nach so vielen Besuchen endet der Link, gezählt ab dem Setzen des Limits. Vorschauen und Bots verbrauchen keinen und sehen nicht, wohin der Link führt.',
    'URL after the end': 'URL nach dem Ende',
    'Where visitors go once the link has ended. Leave empty to show a page that says so.':
      'Wohin Besucher kommen, wenn der Link beendet ist. Leer lassen für eine Seite, die das sagt.',
    'Ask for a password before redirecting.': 'Vor der Weiterleitung nach einem Passwort fragen.',
    'Password protection': 'Passwortschutz',
    Password: 'Passwort',
    'Send visitors to different URLs by rules, and split them by weight.':
      'Besucher nach Regeln zu verschiedenen URLs leiten und nach Anteilen aufteilen.',
    'Dynamic routing': 'Weiterleitung nach Regeln',
    'Routing rules': 'Weiterleitungsregeln',
    'The first rule that matches a visitor decides where they go. If none matches, they go to the original URL.':
      'Die erste Regel, die auf einen Besucher passt, entscheidet, wohin er kommt. Passt keine, kommt er zur Ziel-URL.',
    'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield.':
      'Gib eine Stadt mit ihrem englischen Namen an, wie Munich, oder als US|Illinois|Springfield.',
    'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield, or a list of them.':
      'Gib eine Stadt mit ihrem englischen Namen an, wie Munich, oder als US|Illinois|Springfield, oder eine Liste davon.',
    'Enter an address or a network, such as 192.0.2.0/24 or 2001:db8::/32, or a list of them.':
      'Gib eine Adresse oder ein Netz an, wie 192.0.2.0/24 oder 2001:db8::/32, oder eine Liste davon.',
    'Page before leaving': 'Seite vor dem Verlassen',
    'Show visitors where a link leads, and let them go on by a button.':
      'Besuchern zeigen, wohin ein Link führt, und sie über einen Knopf weitergehen lassen.',
    'Visitors see where the link leads, and go on by a button. With a limited number of visits they do not see where, and the button uses up one.':
      'Besucher sehen, wohin der Link führt, und gehen über einen Knopf weiter. Bei begrenzter Zahl von Besuchen sehen sie es nicht, und der Knopf verbraucht einen.',
    'Paths after the code': 'Pfade nach dem Kurzcode',
    'Add what visitors write behind a short code to the original URL, or put it into a template.':
      'Was Besucher hinter einen Kurzcode schreiben, an die Ziel-URL anhängen oder in eine Vorlage einsetzen.',
    'append, or a template such as /issues/{1} on the host of the original URL.':
      'append oder eine Vorlage wie /issues/{1} auf dem Host der Ziel-URL.',
    'Enter append, or a template that begins with /: scheme and host are those of the original URL.':
      'Gib append ein oder eine Vorlage, die mit / beginnt: Schema und Host sind die der Ziel-URL.',
    'A placeholder is {1} to {9}, {*} or {query.name}, perhaps with a default, such as {1|start}.':
      'Ein Platzhalter ist {1} bis {9}, {*} oder {query.name}, vielleicht mit einem Standardwert wie {1|start}.',
    'The template has no placeholder, such as {1} or {*}.':
      'Die Vorlage hat keinen Platzhalter wie {1} oder {*}.',
    'The template is no path. It has no spaces, backslashes, empty parts, . or .., and each % is followed by two hexadecimal digits.':
      'Die Vorlage ist kein Pfad. Sie hat keine Leerzeichen, umgekehrten Schrägstriche, leeren Teile, . oder .., und auf jedes % folgen zwei Hexadezimalziffern.',
    "Pass the visitor's query parameters on to the original URL.":
      'Query-Parameter der Besucher an die Ziel-URL weitergeben.',
    'Query forwarding': 'Weitergabe von Parametern',
    'Forward query parameters': 'Query-Parameter weitergeben',
    'The link’s own parameters are kept.': 'Die eigenen Parameter des Links bleiben.',
    'Choose the status with which a link redirects, and how long browsers may keep it.':
      'Den Status wählen, mit dem ein Link weiterleitet, und wie lange Browser ihn behalten dürfen.',
    'Give links the ids that they have elsewhere, and find them by these.':
      'Links die Kennungen geben, die sie anderswo haben, und sie daran finden.',
    'External id': 'Externe Kennung',
    'What another program calls the link. No two links of an account have the same.':
      'Wie ein anderes Programm den Link nennt. Keine zwei Links eines Kontos haben dieselbe.',
    'Another link of yours has the external id {}.':
      'Ein anderer deiner Links hat die externe Kennung {}.',
    'Redirect status': 'Status der Weiterleitung',
    'Usual redirect status': 'Üblicher Status der Weiterleitung',
    'For links that do not say otherwise. With 302 they cost the least.':
      'Für Links, die nichts anderes sagen. Mit 302 kosten sie am wenigsten.',
    'Seconds that browsers keep the redirect': 'Sekunden, die Browser die Weiterleitung behalten',
    'For links that do not say otherwise, and redirect with 301 or 308. Visits meanwhile are not counted.':
      'Für Links, die nichts anderes sagen und mit 301 oder 308 weiterleiten. Besuche in dieser Zeit werden nicht gezählt.',
    'Leave empty for the usual one of this instance. A link with a password, dates, a limit of visits or routing rules redirects with 302.':
      'Leer lassen für den üblichen dieser Instanz. Ein Link mit Passwort, Daten, Besuchslimit oder Regeln leitet mit 302 weiter.',
    'Only with 301 or 308. Visits from a browser that keeps the redirect are not counted, and changes of the link do not reach it before.':
      'Nur mit 301 oder 308. Besuche aus einem Browser, der die Weiterleitung behält, werden nicht gezählt, und Änderungen des Links erreichen ihn erst danach.',
    '301 – for good': '301 – dauerhaft',
    '302 – for now': '302 – vorläufig',
    '307 – for now': '307 – vorläufig',
    '308 – for good': '308 – dauerhaft',
    'Redirects with 302': 'Leitet mit 302 weiter',
    '302 for the password': '302 wegen des Passworts',
    '302 for dates or limit': '302 wegen Daten oder Limit',
    '302 for rules': '302 wegen der Regeln',
    '302 for the page before': '302 wegen der Seite davor',
    'Browsers keep redirects with 301 and 308 only. Choose one of them, or leave this empty.':
      'Browser behalten nur Weiterleitungen mit 301 und 308. Eine davon wählen oder dies leer lassen.',
    'Browsers keep redirects with 301 and 308 only. Choose one of them, or empty the seconds that browsers keep the redirect.':
      'Browser behalten nur Weiterleitungen mit 301 und 308. Eine davon wählen oder die Sekunden leeren, die Browser sie behalten.',
    'Show where a link leads, without going there, when a plus sign follows its short code.':
      'Zeigen, wohin ein Link führt, ohne ihm zu folgen, wenn auf den Kurzcode ein Pluszeichen folgt.',
    'Link preview': 'Linkvorschau',
    'Put links on your own domains, each with a front page and a page for unknown short codes.':
      'Links auf eigene Domains legen, jede mit Startseite und einer Seite für unbekannte Kurzcodes.',
    'Custom domains': 'Eigene Domains',
    Organization: 'Organisation',
    Domain: 'Domain',
    'Host of one of your verified domains or of one that is shared with you; null, the default of new links, is the host of this instance.':
      'Host einer deiner bestätigten Domains oder einer, die mit dir geteilt ist; ohne Angabe der Host dieser Instanz.',
    'Shared domains': 'Geteilte Domains',
    'Domains of this instance, on which the accounts of some plans or of all can have links.':
      'Domains dieser Instanz, auf denen die Konten einiger oder aller Tarife Links haben können.',
    Plans: 'Tarife',
    Links: 'Links',
    Accounts: 'Konten',
    'Share no more': 'Nicht mehr teilen',
    'The host then shows nothing of Linnet. This works only while no links are on it.':
      'Der Host zeigt dann nichts mehr von Linnet. Das geht nur, solange keine Links auf ihm liegen.',
    'As links.example.org. One that is shared already is changed to what you enter here.':
      'Etwa links.example.org. Eine, die schon geteilt ist, wird so geändert, wie es hier steht.',
    'The short names of the plans, as free. Empty: all.':
      'Die Kurznamen der Tarife, etwa free. Leer: alle.',
    'Share this domain': 'Diese Domain teilen',
    'Choose what the main host shows at its bare address, for unknown short codes and to search engines.':
      'Wählen, was der Haupthost an seiner bloßen Adresse, bei unbekannten Kurzcodes und für Suchmaschinen zeigt.',
    'Front page': 'Startseite',
    'Search engines may index it': 'Suchmaschinen dürfen ihn aufnehmen',
    'Otherwise they are asked to leave the short URL out. What the link leads to is not concerned.':
      'Sonst werden sie gebeten, die Kurz-URL auszulassen. Das Ziel des Links betrifft das nicht.',
    'What visitors of the bare address see. Empty: the dashboard, unless it has a host of its own.':
      'Was Besucher der bloßen Adresse sehen. Leer: das Dashboard, wenn es keinen eigenen Host hat.',
    'The dashboard': 'Das Dashboard',
    'Another address': 'Eine andere Adresse',
    'A text': 'Ein Text',
    'Nothing (404)': 'Nichts (404)',
    'Address of the front page': 'Adresse der Startseite',
    'Title of the text': 'Titel des Textes',
    'Text of the front page': 'Text der Startseite',
    'Unknown short codes': 'Unbekannte Kurzcodes',
    'Empty: a page that says so.': 'Leer: eine Seite, die das sagt.',
    'A page that says so (404)': 'Eine Seite, die das sagt (404)',
    'Address for unknown short codes': 'Adresse für unbekannte Kurzcodes',
    'Search engines (robots.txt)': 'Suchmaschinen (robots.txt)',
    'On all hosts. Empty: they may read nothing but links that say so.':
      'Auf allen Hosts. Leer: Sie dürfen nur Links lesen, die es erlauben.',
    'Nothing but links that say so': 'Nur Links, die es erlauben',
    Everything: 'Alles',
    'A text of your own': 'Ein eigener Text',
    'Text of robots.txt': 'Text der robots.txt',
    'What the main host shows besides links.': 'Was der Haupthost außer Links zeigt.',
    'Main host': 'Haupthost',
    'Visitors get': 'Besucher bekommen',
    'For search engines': 'Für Suchmaschinen',
    'They read': 'Sie lesen',
    'Contact for security reports': 'Kontakt für Sicherheitsmeldungen',
    'In security.txt, such as mailto:security@example.com or https://example.com/security. Empty: there is none.':
      'In security.txt, etwa mailto:security@example.com oder https://example.com/security. Leer: Es gibt keine.',
    'For security reports': 'Für Sicherheitsmeldungen',
    'security.txt': 'security.txt',
    'Enter mailto: with an e-mail address, or a URL with https://.':
      'mailto: mit einer E-Mail-Adresse eingeben oder eine URL mit https://.',
    'Save front page': 'Startseite speichern',
    'Enter the address of the front page, or choose another one.':
      'Die Adresse der Startseite eingeben oder eine andere wählen.',
    'Enter a title, or choose another front page.':
      'Einen Titel eingeben oder eine andere Startseite wählen.',
    'Enter the address for unknown short codes, or choose the page.':
      'Die Adresse für unbekannte Kurzcodes eingeben oder die Seite wählen.',
    'Enter the text of robots.txt, or choose another one.':
      'Den Text der robots.txt eingeben oder eine andere wählen.',
    'Each line is a rule, such as Disallow: /private, or begins with #.':
      'Jede Zeile ist eine Regel wie Disallow: /private oder beginnt mit #.',
    'This is the host of the dashboard.': 'Das ist der Host des Dashboards.',
    'There is nothing here.': 'Hier ist nichts.',
    'Label links with coloured tags, and filter links by tag.':
      'Links mit farbigen Schlagwörtern versehen und danach filtern.',
    Tags: 'Schlagwörter',
    'Ids of tags, at most 50.': 'IDs von Schlagwörtern, höchstens 50.',
    'Tags to add': 'Schlagwörter hinzufügen',
    'Ids of tags to add to the link.': 'IDs von Schlagwörtern, die der Link zusätzlich bekommt.',
    'Tags to remove': 'Schlagwörter entfernen',
    'Ids of tags to remove from the link.':
      'IDs von Schlagwörtern, die der Link verliert, wenn er sie hat.',
    'Group links into campaigns, with combined statistics.':
      'Links zu Kampagnen mit gemeinsamer Statistik zusammenfassen.',
    Campaigns: 'Kampagnen',
    Campaign: 'Kampagne',
    'Id of a campaign.': 'ID einer Kampagne.',
    'Send the mail of all plugins over an SMTP server.':
      'Die Mail aller Plugins über einen SMTP-Server verschicken.',
    Mail: 'Mail',
    'URL of the mail server, such as smtps://name:password@mail.example.org':
      'URL des Mailservers, etwa smtps://name:password@mail.example.org',
    Sender: 'Absender',
    'The address that mail comes from, such as links@example.org. If empty, the name in LINNET_SMTP_URL.':
      'Die Adresse, von der Mail kommt, etwa links@example.org. Leer: der Name in LINNET_SMTP_URL.',
    'One line of text.': 'Eine Zeile Text.',
    'Name of the sender': 'Name des Absenders',
    'Let people sign in at a server that speaks OpenID Connect, such as that of a company.':
      'Lässt Leute sich bei einem Server anmelden, der OpenID Connect spricht, etwa dem einer Firma.',
    'Single sign-on': 'Single Sign-on',
    Issuer: 'Aussteller (Issuer)',
    'Such as https://login.example.org, as the provider writes it.':
      'Etwa https://login.example.org, so wie der Anbieter es schreibt.',
    'Client ID': 'Client-ID',
    'Client secret': 'Client-Secret',
    Scopes: 'Scopes',
    'What the provider is asked for, with openid among it.':
      'Wonach der Anbieter gefragt wird; openid muss dabei sein.',
    'Sign people in to the account with their verified address':
      'Leute beim Konto mit ihrer bestätigten Adresse anmelden',
    'Whoever gets an address at the provider gets the account that has it here.':
      'Wer beim Anbieter eine Adresse bekommt, bekommt das Konto, das sie hier hat.',
    'Make accounts for people who have none': 'Konten für Leute anlegen, die keines haben',
    'Trust addresses of which the provider does not say whether they are verified':
      'Adressen vertrauen, von denen der Anbieter nicht sagt, ob sie bestätigt sind',
    'Only for a provider where nobody can enter an address of somebody else.':
      'Nur für einen Anbieter, bei dem niemand die Adresse eines anderen eintragen kann.',
    'Allowed domains': 'Erlaubte Domains',
    'Only people with a verified address there come in. If empty, all.':
      'Nur wer dort eine bestätigte Adresse hat, kommt herein. Leer: alle.',
    'Claim with the groups': 'Claim mit den Gruppen',
    'Such as groups or realm_access.roles.': 'Etwa groups oder realm_access.roles.',
    'Allowed groups': 'Erlaubte Gruppen',
    'Only people in one of them come in. If empty, all.':
      'Nur wer in einer davon ist, kommt herein. Leer: alle.',
    'Groups of admins': 'Gruppen der Admins',
    'Whoever is in one of them is an admin, and nobody else whom the provider signs in. If empty, nothing changes.':
      'Wer in einer davon ist, ist Admin, und sonst niemand, den der Anbieter anmeldet. Leer: nichts ändert sich.',
    'Plans of groups': 'Pläne der Gruppen',
    'Lines such as staff = pro; the first that fits is taken. * = free is for everybody else.':
      'Zeilen wie staff = pro; die erste passende gilt. * = free ist für alle anderen.',
    'Admins only': 'Nur Admins',
    'Sign people out there, too': 'Leute auch dort abmelden',
    'Where the provider offers that. It may end their sessions elsewhere.':
      'Wo der Anbieter das anbietet. Es kann ihre Sitzungen anderswo beenden.',
    'Who may sign in by password, too': 'Wer sich auch mit Passwort anmelden darf',
    'Export links with all that belongs to them, or as files with which other servers redirect.':
      'Links mit allem, was zu ihnen gehört, ausführen, oder als Dateien, mit denen andere Server weiterleiten.',
    Exports: 'Ausfuhr',
    'Save searches of links under a name.': 'Suchen nach Links unter einem Namen speichern.',
    'Bring links, their visits and tags from other programs.':
      'Links mit Besuchen und Schlagwörtern aus anderen Programmen mitbringen.',
    Imports: 'Importe',
    'Largest file': 'Größte Datei',
    'In MiB.': 'In MiB.',
    'Go on with imports': 'Importe fortsetzen',
    'Tidy up imports': 'Importe aufräumen',
    'Saved searches': 'Gespeicherte Suchen',
    'Visits left out': 'Nicht gezählte Besuche',
    'Leave visits from your own networks, and of owners of links, out of all numbers.':
      'Besuche aus eigenen Netzen und von Besitzern der Links aus allen Zahlen herauslassen.',
    Networks: 'Netze',
    'One address or network a line, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.':
      'Eine Adresse oder ein Netz je Zeile, wie 192.0.2.7, 192.0.2.0/24 oder 2001:db8::/32.',
    'Leave out the owner of the link': 'Den Besitzer des Links nicht zählen',
    'Whoever is signed in to the dashboard in the same browser. Not on custom domains, where no browser says so.':
      'Wer im selben Browser im Dashboard angemeldet ist. Nicht auf eigenen Domains, wo kein Browser das sagt.',
    'Enter an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.':
      'Gib eine Adresse oder ein Netz ein, wie 192.0.2.7, 192.0.2.0/24 oder 2001:db8::/32.',
    'Tracking pixel': 'Zählpixel',
    'Count a visit by an image of one pixel, at /code/track.gif, without redirecting.':
      'Einen Besuch durch ein Bild von einem Pixel zählen, unter /code/track.gif, ohne weiterzuleiten.',
    'Count visits, with those of bots counted separately.':
      'Besuche zählen, die von Bots getrennt.',
    'Visits tracking': 'Zählung der Besuche',
    Analytics: 'Statistik',
    Visits: 'Besuche',
    Bots: 'Bots',
    'Count unique visitors per day, without identifying anyone.':
      'Verschiedene Besucher pro Tag zählen, ohne jemanden zu erkennen.',
    'Unique visitors': 'Verschiedene Besucher',
    'Daily unique visitors': 'Verschiedene Besucher pro Tag',
    'Draw a QR code for each link, and count the visits that come from it.':
      'Zu jedem Link einen QR-Code zeichnen und die Besuche darüber zählen.',
    'QR codes': 'QR-Codes',
    'Visits from QR codes': 'Besuche über QR-Codes',
    'Show the number of visits over time.': 'Die Zahl der Besuche im Verlauf zeigen.',
    'Visits over time': 'Besuche im Verlauf',
    'Count visits by browser.': 'Besuche nach Browser zählen.',
    'Visits by browser': 'Besuche nach Browser',
    Browser: 'Browser',
    'Count visits by operating system.': 'Besuche nach Betriebssystem zählen.',
    'Visits by operating system': 'Besuche nach Betriebssystem',
    'Operating system': 'Betriebssystem',
    'Count visits by device type: desktop, mobile, tablet or other.':
      'Besuche nach Gerätetyp zählen: Computer, Smartphone, Tablet oder anderes.',
    'Visits by device type': 'Besuche nach Gerätetyp',
    'Device type': 'Gerätetyp',
    'Count visits by preferred language.': 'Besuche nach bevorzugter Sprache zählen.',
    'Visits by language': 'Besuche nach Sprache',
    Language: 'Sprache',
    'Count visits by country.': 'Besuche nach Land zählen.',
    'Visits by country': 'Besuche nach Land',
    Country: 'Land',
    'Count visits by city.': 'Besuche nach Stadt zählen.',
    'Visits by city': 'Besuche nach Stadt',
    City: 'Stadt',
    'Count visits by the routing rule that applied.':
      'Besuche nach der Weiterleitungsregel zählen, die galt.',
    'Visits by routing rule': 'Besuche nach Weiterleitungsregel',
    'Routing rule': 'Weiterleitungsregel',
    'Count visits by the website they come from.':
      'Besuche nach der Website zählen, von der sie kommen.',
    'Visits by referer': 'Besuche nach Herkunft',
    Referer: 'Herkunft',
    'Count visits by UTM parameter.': 'Besuche nach UTM-Parameter zählen.',
    'UTM tracking': 'UTM-Zählung',
    'UTM source': 'UTM-Quelle',
    'UTM medium': 'UTM-Medium',
    'UTM campaign': 'UTM-Kampagne',
    'UTM term': 'UTM-Begriff',
    'UTM content': 'UTM-Inhalt',
    'Show the analytics of a link, tag or campaign to everyone who knows a secret address.':
      'Die Statistik eines Links, eines Schlagworts oder einer Kampagne allen zeigen, die eine geheime Adresse kennen.',
    'Public numbers': 'Öffentliche Zahlen',
    'Use the API with tokens that have scopes and an expiry date.':
      'Die API mit Tokens nutzen, die Rechte und ein Ablaufdatum haben.',
    'API keys': 'API-Schlüssel',
    Webhooks: 'Webhooks',
    'Tell other programs of every change, signed and in order, until they have taken it.':
      'Anderen Programmen jede Änderung melden, signiert und der Reihe nach, bis sie angekommen ist.',
    'Look for messages to send': 'Nach Nachrichten suchen, die zu senden sind',
    'Tell of the visits of the hour': 'Die Besuche der Stunde melden',
    'Delete old messages': 'Alte Nachrichten löschen',
    'As https://example.com/linnet.': 'Wie https://example.com/linnet.',
    'What it is for.': 'Wofür er da ist.',
    Events: 'Ereignisse',
    'One in each line: * for every change, link.* for those of links, or link.created; visits.counted for the visits of each hour.':
      'Eines je Zeile: * für jede Änderung, link.* für die von Links, oder link.created; visits.counted für die Besuche jeder Stunde.',
    Working: 'Funktioniert',
    Failing: 'Schlägt fehl',
    Waiting: 'Wartet',
    Delivered: 'Zugestellt',
    Failed: 'Fehlgeschlagen',
    Missed: 'Verpasst',
    'Other programs that are told of every change.':
      'Andere Programme, denen jede Änderung gemeldet wird.',
    'Your webhooks': 'Eigene Webhooks',
    Address: 'Adresse',
    State: 'Zustand',
    Problem: 'Problem',
    'Save webhook': 'Webhook speichern',
    Test: 'Testen',
    Status: 'Status',
    Answer: 'Antwort',
    'New secret': 'Neues Geheimnis',
    'Messages are signed with both secrets for a day, and then with the new one.':
      'Nachrichten werden einen Tag lang mit beiden Geheimnissen signiert, danach mit dem neuen.',
    Delete: 'Löschen',
    'Nothing more is sent to it, and its messages are deleted.':
      'Er bekommt nichts mehr, und seine Nachrichten werden gelöscht.',
    'New webhook': 'Neuer Webhook',
    'Hears of': 'Hört von',
    'Only admins may choose the whole instance.': 'Nur Admins dürfen die ganze Instanz wählen.',
    'Your account': 'Eigenes Konto',
    'The whole instance': 'Die ganze Instanz',
    'Create webhook': 'Webhook anlegen',
    Messages: 'Nachrichten',
    'They are kept for seven days.': 'Sie werden sieben Tage aufbewahrt.',
    'Send again': 'Erneut senden',
    'It is sent again.': 'Sie wird erneut gesendet.',
    Developer: 'Für Entwickler',
    'Manage everything in a browser.': 'Alles in einem Browser verwalten.',
    Web: 'Web',
    Dashboard: 'Oberfläche',
    'Block lists': 'Sperrlisten',
    'Paths of files or folders. Files can be hosts files, or have one domain, one ||domain^ or one URL per line.':
      'Pfade von Dateien oder Ordnern. Dateien können hosts-Dateien sein oder eine Domain, ein ||domain^ oder eine URL pro Zeile haben.',
    'Block look-alike domain names and public IP addresses':
      'Täuschend ähnliche Domainnamen und öffentliche IP-Adressen sperren',
    'API key of Google Safe Browsing': 'API-Schlüssel von Google Safe Browsing',
    'URL of another service to use instead of Google Safe Browsing':
      'URL eines anderen Dienstes anstelle von Google Safe Browsing',
    'New links while Safe Browsing does not answer':
      'Neue Links, solange Safe Browsing nicht antwortet',
    'Domains per account': 'Domains pro Konto',
    'Logo in QR codes': 'Logo in QR-Codes',
    'Path of a PNG file on the server, at most 64 KiB and 256 pixels per side, ideally square.':
      'Pfad einer PNG-Datei auf dem Server, höchstens 64 KiB und 256 Pixel je Seite, am besten quadratisch.',
    'Location data updates': 'Aktualisierung der Ortsdaten',
    'Download newer location data each month.': 'Jeden Monat neuere Ortsdaten herunterladen.',
    'Include cities': 'Mit Städten',
    'Downloads about 60 MB per month and takes 130 MB of disk space.':
      'Lädt etwa 60 MB pro Monat und belegt 130 MB Speicherplatz.',
    'Account ID and licence key of MaxMind, such as 123456:key. Leave empty to use DB-IP.':
      'Konto-ID und Lizenzschlüssel von MaxMind, etwa 123456:key. Leer lassen, um DB-IP zu nutzen.',
    'Another URL to download from. {kind} stands for country or city, {month} for a month such as 2026-11.':
      'Andere URL zum Herunterladen. {kind} steht für country oder city, {month} für einen Monat wie 2026-11.',
    'Download newer location data': 'Neuere Ortsdaten herunterladen',
    Annotations: 'Anmerkungen',
    'Note what happened on a day, and show it in the chart of visits over time.':
      'Vermerken, was an einem Tag passiert ist, und es im Verlauf der Besuche zeigen.',
    Desktop: 'Computer',
    Mobile: 'Smartphone',
    Tablet: 'Tablet',
    Other: 'Anderes',
    None: 'Keine',
    'No rule': 'Keine Regel',
    'Direct / unknown': 'Direkt / unbekannt',
    Metrics: 'Metriken',
    'Answer programs that were written for the API of YOURLS.':
      'Programmen antworten, die für die API von YOURLS geschrieben wurden.',
    'YOURLS clients': 'Clients von YOURLS',
    Name: 'Name',
    Created: 'Erstellt',
    Show: 'Zeigen',
    Signature: 'Signatur',
    Revoke: 'Widerrufen',
    'A URL that has a link already': 'Eine URL, die schon einen Link hat',
    'Say that it failed, as YOURLS does': 'Als Fehlschlag beantworten, wie YOURLS',
    'Say that it succeeded': 'Als Erfolg beantworten',
    'YOURLS says that it failed, with the link that there is. Programs such as n8n stop then.':
      'YOURLS meldet einen Fehlschlag, mit dem Link, den es gibt. Programme wie n8n halten dann an.',
    'Signatures by MD5': 'Signaturen mit MD5',
    'For older programs, such as Better YOURLS. A signature is valid for 12 hours.':
      'Für ältere Programme wie Better YOURLS. Eine Signatur gilt 12 Stunden.',
    'Signatures for clients of YOURLS': 'Signaturen für Clients von YOURLS',
    'A signature is an API token that can be shown again, and with which programs can sign the time. Any other API token works as a signature, too.':
      'Eine Signatur ist ein API-Token, das noch einmal gezeigt werden kann, und mit dem Programme die Zeit signieren können. Auch jedes andere API-Token geht als Signatur.',
    'Programs that have it can do nothing any more.':
      'Programme, die sie haben, können nichts mehr tun.',
    'Make a signature': 'Signatur erstellen',
    'Answer programs that were written for the API of Shlink.':
      'Programmen antworten, die für die API von Shlink geschrieben wurden.',
    'Shlink clients': 'Clients von Shlink',
    'Answer programs that were written for the API of Kutt.':
      'Programmen antworten, die für die API von Kutt geschrieben wurden.',
    'Kutt clients': 'Clients von Kutt',
    'Show metrics of the instance to Prometheus.': 'Prometheus Metriken der Instanz zeigen.',
    'Delete links for good': 'Links endgültig löschen',
    'Clean up the counts': 'Zählungen aufräumen',
    'Delete ended sessions': 'Beendete Sitzungen löschen',
    'Finish the deletion of accounts': 'Löschen von Konten abschließen',
    'Delete old idempotency keys': 'Alte Idempotenz-Schlüssel löschen',
    'Drop events that nobody takes': 'Ereignisse verwerfen, die niemand annimmt',
    'Back up the database': 'Datenbank sichern',
    'Update the block lists': 'Sperrlisten aktualisieren',
    'Scan all addresses again': 'Alle Adressen neu prüfen',
    'Delete expired tokens': 'Abgelaufene Tokens löschen',
    'Is required.': 'Ist erforderlich.',
    'Is not valid.': 'Ist nicht gültig.',
    'Does not have the right format.': 'Hat nicht das richtige Format.',
    'Does not have the right format: 1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.':
      'Hat nicht das richtige Format: 1 bis 64 Buchstaben, Ziffern, Binde- und Unterstriche. Groß- und Kleinschreibung zählt.',
    'Must have at least 1 character.': 'Braucht mindestens 1 Zeichen.',
    'Must have at least {} characters.': 'Braucht mindestens {} Zeichen.',
    'Must have at most {} characters.': 'Darf höchstens {} Zeichen haben.',
    'Choose at least one.': 'Mindestens einen Eintrag auswählen.',
    'Must have at most {} items.': 'Darf höchstens {} Einträge haben.',
    'Must be at least {}.': 'Muss mindestens {} sein.',
    'Must be at most {}.': 'Darf höchstens {} sein.',
    'Must be more than {}.': 'Muss mehr als {} sein.',
    'Must be less than {}.': 'Muss weniger als {} sein.',
    'Must be one of: {}.': 'Muss eines von diesen sein: {}.',
    'Must be a text.': 'Muss ein Text sein.',
    'Must be a number.': 'Muss eine Zahl sein.',
    'Must be a whole number.': 'Muss eine ganze Zahl sein.',
    'Must be a list.': 'Muss eine Liste sein.',
    'Must be an object.': 'Muss ein Objekt sein.',
    'Must be a URL.': 'Muss eine URL sein.',
    'Must be an e-mail address.': 'Muss eine E-Mail-Adresse sein.',
    'Must be a colour such as {}.': 'Muss eine Farbe sein, etwa {}.',
    'Must be a colour, such as {}.': 'Muss eine Farbe sein, etwa {}.',
    'Must be a date and time in ISO 8601, such as 2030-01-31T09:30:00Z.':
      'Muss Datum und Uhrzeit sein.',
    'Must be a date in ISO 8601, such as 2030-01-31.': 'Muss ein Datum sein.',
    'Must be after starts_at.': 'Muss nach dem Beginn liegen.',
    'Must be the host of one of your verified domains.':
      'Muss eine deiner bestätigten Domains sein.',
    'Must be the host of one of your verified domains, or one that is shared with your plan.':
      'Muss der Host einer deiner bestätigten Domains sein oder einer, die mit deinem Tarif geteilt ist.',
    'This domain is the instance’s.': 'Diese Domain gehört der Instanz.',
    'An account has this domain, or links on it. It has to delete the domain first.':
      'Ein Konto hat diese Domain oder Links auf ihr. Es muss die Domain zuerst löschen.',
    'There is no plan {}. There are: {}.': 'Den Tarif {} gibt es nicht. Es gibt: {}.',
    'Links on this domain: {}. Accounts that they belong to: {}. They have to be moved or deleted first.':
      'Links auf dieser Domain: {}. Konten, denen sie gehören: {}. Sie müssen zuerst verschoben oder gelöscht werden.',
    'Must be a host only, such as links.example.org, without scheme, port or path, and not an IP address.':
      'Muss ein reiner Domainname sein, etwa links.example.org, ohne https://, Port und Pfad, und keine IP-Adresse.',
    'Must not have control characters, invisible spaces or marks that change the direction of the text.':
      'Darf keine Steuerzeichen, unsichtbaren Leerzeichen oder Zeichen für die Textrichtung enthalten.',
    'This field does not exist.': 'Dieses Feld gibt es nicht.',
    'Enter a full URL, such as https://example.com/page.':
      'Eine vollständige URL eingeben, etwa https://example.com/page.',
    'The URL is longer than {} characters.': 'Die URL ist länger als {} Zeichen.',
    'The URL has a host name longer than {} characters.':
      'Der Hostname der URL ist länger als {} Zeichen.',
    'The URL has a host name with a part longer than {} characters.':
      'Ein Teil des Hostnamens der URL ist länger als {} Zeichen.',
    'The URL contains a space or a control character: escape it.':
      'Die URL enthält ein Leer- oder Steuerzeichen: es muss maskiert werden.',
    'The URL contains a space or a control character: leave it out.':
      'Die URL enthält ein Leer- oder Steuerzeichen: es muss weg.',
    'The URL must begin with http:// or https://.':
      'Die URL muss mit http:// oder https:// beginnen.',
    'The URL must begin with http://, https:// or {}.':
      'Die URL muss mit http://, https:// oder {} beginnen.',
    'The URL must begin with http://, https://, {} or {}.':
      'Die URL muss mit http://, https://, {} oder {} beginnen.',
    'The URL must begin with http:// or https://, and never with {}.':
      'Die URL muss mit http:// oder https:// beginnen, und niemals mit {}.',
    'The URL has nothing after its colon.': 'Die URL hat nichts hinter ihrem Doppelpunkt.',
    'Paths after the code are for http and https URLs.':
      'Pfade nach dem Kurzcode sind für URLs mit http und https.',
    'The link takes paths after its code, which are for http and https URLs. Empty them, or enter such a URL.':
      'Der Link nimmt Pfade nach seinem Code, und die sind für URLs mit http und https. Diese leeren, oder eine solche URL eingeben.',
    'The URL must not contain a user name or a password.':
      'Die URL darf keinen Benutzernamen und kein Passwort enthalten.',
    'The URL leads back to this link shortener.': 'Die URL führt zu diesem Linkkürzer zurück.',
    'Enter an e-mail address, such as ada@example.org.':
      'Eine E-Mail-Adresse eingeben, etwa ada@example.org.',
    'Enter a password of at least {} characters.':
      'Ein Passwort mit mindestens {} Zeichen eingeben.',
    'Enter a password of at most {} characters.': 'Ein Passwort mit höchstens {} Zeichen eingeben.',
    'Choose a password that is not made of the e-mail address, the name or Linnet.':
      'Wähle ein Passwort, das nicht aus der E-Mail-Adresse, dem Namen oder Linnet besteht.',
    'This password is too common. Choose another, such as four random words.':
      'Dieses Passwort ist zu verbreitet. Besser ein anderes, etwa vier zufällige Wörter.',
    'Enter at least one value.': 'Mindestens einen Wert eingeben.',
    'Enter a moment in the future.': 'Einen Zeitpunkt in der Zukunft eingeben.',
    'Enter a currency of ISO 4217, such as EUR.': 'Eine Währung nach ISO 4217 eingeben, etwa EUR.',
    'The link must end after it opens.': 'Der Link muss enden, nachdem er öffnet.',
    'Choose for each host which short codes it has, and whether case and hyphens matter in them.':
      'Für jeden Host wählen, welche Kurzcodes er hat, und ob Groß- und Kleinschreibung und Bindestriche darin zählen.',
    'Code rules': 'Regeln für Kurzcodes',
    Host: 'Host',
    Characters: 'Zeichen',
    'Letters, digits, - and _': 'Buchstaben, Ziffern, - und _',
    'Any path, Unicode and emojis too': 'Jeder Pfad, auch Unicode und Emojis',
    'Upper and lower case': 'Groß- und Kleinschreibung',
    'As written': 'Wie geschrieben',
    'Any case': 'Egal',
    Hyphens: 'Bindestriche',
    'They matter': 'Sie zählen',
    'They make no difference': 'Sie machen keinen Unterschied',
    'Empty: the host of this instance, which admins may change.':
      'Leer: der Host dieser Instanz, den Admins ändern dürfen.',
    'Short codes of a host': 'Kurzcodes eines Hosts',
    'Which short codes a host has. Links that exist keep theirs.':
      'Welche Kurzcodes ein Host hat. Vorhandene Links behalten ihre.',
    'Change the rules': 'Regeln ändern',
    'Codes that nobody chose': 'Kurzcodes, die niemand gewählt hat',
    'None has letters or digits that look alike, such as 0 and O, or 1, l and I.':
      'Keiner hat Buchstaben oder Ziffern, die sich gleichen, wie 0 und O oder 1, l und I.',
    '7 small and capital letters and digits': '7 kleine und große Buchstaben und Ziffern',
    '8 small letters and digits': '8 kleine Buchstaben und Ziffern',
    'Words, as brave-otter': 'Wörter, wie brave-otter',
    'A short code cannot contain {}.': 'Ein Kurzcode kann {} nicht enthalten.',
    'A short code has at most {} bytes; a letter beyond ASCII has 2 to 4.':
      'Ein Kurzcode hat höchstens {} Bytes; ein Zeichen außerhalb von ASCII hat 2 bis 4.',
    'A short code has no slash at its beginning or its end, and no two in a row.':
      'Ein Kurzcode hat keinen Schrägstrich am Anfang oder Ende, und keine zwei hintereinander.',
    'A short code has at most {} parts between slashes.':
      'Ein Kurzcode hat höchstens {} Teile zwischen Schrägstrichen.',
    'No part of a short code can be . or .., because browsers take these out.':
      'Kein Teil eines Kurzcodes kann . oder .. sein, weil Browser sie entfernen.',
    'A short code cannot end with {}, which shows a page about a link.':
      'Ein Kurzcode kann nicht mit {} enden: Das zeigt eine Seite über einen Link.',
    'Codes of different links would be the same: {}. Change or delete one of each first.':
      'Kurzcodes verschiedener Links wären gleich: {}. Erst je einen davon ändern oder löschen.',
    'Links have codes that only the wide grammar has: {}. Change or delete them first.':
      'Links haben Kurzcodes, die es nur mit allen Pfaden gibt: {}. Erst diese ändern oder löschen.',
    'The short code {} is taken.': 'Der Kurzcode {} ist vergeben.',
    'The short code {} is taken on {}. Codes stay with the account that had them, also when a host passes to another.':
      'Der Kurzcode {} ist auf {} vergeben. Codes bleiben bei dem Konto, das sie hatte, auch wenn ein Host an ein anderes übergeht.',
    'The short code {} is reserved.': 'Der Kurzcode {} ist reserviert.',
    'You already have a tag with this name.': 'Ein Schlagwort mit diesem Namen gibt es schon.',
    'You already have a campaign with this name.': 'Eine Kampagne mit diesem Namen gibt es schon.',
    'You already have a saved search with this name.': 'Eine Suche mit diesem Namen gibt es schon.',
    'You already have this domain.': 'Diese Domain hast du schon.',
    'This is the host of this instance: every account can use it.':
      'Das ist der Host dieser Instanz: Alle Konten können ihn nutzen.',
    'Creating links is switched off on this instance.':
      'Das Erstellen von Links ist auf dieser Instanz ausgeschaltet.',
    'Your plan allows {} new links per month, and you have created {}. The count starts again on the first day of next month (UTC).':
      'Dein Tarif erlaubt {} neue Links pro Monat, und {} sind erstellt. Gezählt wird neu ab dem Ersten des nächsten Monats (UTC).',
    'Too many attempts. Wait {}.': 'Zu viele Versuche. Wartezeit: {}.',
    '{} has {}, and its write-ahead log {}.': '{} hat {}, das Write-Ahead-Log {}.',
    'It is damaged: {}.': 'Sie ist beschädigt: {}.',
    'It is not damaged.': 'Sie ist nicht beschädigt.',
    'The database is damaged.': 'Die Datenbank ist beschädigt.',
    'Linnet reads all of it again by itself, in case only the disk failed for a moment.':
      'Linnet liest sie von selbst noch einmal ganz, falls nur der Datenträger kurz ausgefallen ist.',
    'If this stays, stop Linnet and restore a backup: linnet restore <backup>':
      'Bleibt diese Meldung, Linnet anhalten und eine Sicherung zurückspielen: linnet restore <backup>',
    'Stop Linnet and restore a backup: linnet restore <backup>':
      'Linnet anhalten und eine Sicherung zurückspielen: linnet restore <backup>',
    'Find the program that keeps the database open, such as a backup tool, and end it, or restart Linnet.':
      'Das Programm suchen, das die Datenbank offen hält, etwa eine Datensicherung, und es beenden, oder Linnet neu starten.',
    'The newest of {} backups is from {}.': 'Die neueste von {} Sicherungen ist von {}.',
    'There is no backup yet.': 'Es gibt noch keine Sicherung.',
    'Nightly backups are off: set LINNET_BACKUPS_KEPT, or back up the database in another way.':
      'Nächtliche Sicherungen sind aus: LINNET_BACKUPS_KEPT setzen oder die Datenbank anders sichern.',
    'The folder {} cannot be used: {}.': 'Der Ordner {} kann nicht benutzt werden: {}.',
    'Make it a folder that the user who runs Linnet can read and write: no backup can be made before.':
      'Daraus einen Ordner machen, den der Benutzer, unter dem Linnet läuft, lesen und beschreiben kann: Vorher ist keine Sicherung möglich.',
    'Check under Admin → Jobs why the nightly backup fails, or run: linnet backup':
      'Unter Admin → Aufgaben nachsehen, warum die nächtliche Sicherung fehlschlägt, oder ausführen: linnet backup',
    '{} are free on the disk of {}.': '{} sind auf dem Datenträger von {} frei.',
    'Free up space: when the disk is full, links keep working but nothing is saved.':
      'Platz schaffen: Ist der Datenträger voll, funktionieren Links weiter, aber nichts wird gespeichert.',
    'Free up space: a backup of the database takes {}.':
      'Platz schaffen: Eine Sicherung der Datenbank braucht {}.',
    '{} belongs to uid {} and has mode {}.': '{} gehört uid {} und hat den Modus {}.',
    'Other users of this machine can read it.':
      'Andere Benutzer dieses Rechners können den Ordner lesen.',
    'Run: chmod o= {}.': 'Ausführen: chmod o= {}.',
    'Keep nothing else in it.': 'Nichts anderes darin aufbewahren.',
    'The clock of this machine says {}.': 'Die Uhr dieses Rechners zeigt {}.',
    'But the database was last written after that, at {}.':
      'Die Datenbank wurde aber zuletzt danach geschrieben, um {}.',
    'Set the clock, and keep it correct with systemd-timesyncd or chrony.':
      'Die Uhr stellen und mit systemd-timesyncd oder chrony richtig halten.',
    '{} of visitors are unknown: no location data is installed for them.':
      '{} der Besucher sind unbekannt: Dafür sind keine Standortdaten installiert.',
    '{} of visitors come from data of {}, {} days ago.':
      '{} der Besucher kommen aus Daten vom {}, vor {} Tagen.',
    '{} of visitors {}; the log says why.': '{} der Besucher {}; im Protokoll steht, warum.',
    '{} of visitors {}: {} cannot be read: {}.':
      '{} der Besucher {}: {} lässt sich nicht lesen: {}.',
    Countries: 'Länder',
    Cities: 'Städte',
    'are unknown': 'sind unbekannt',
    'come from old data, because the file is missing or damaged now':
      'kommen aus alten Daten, weil die Datei jetzt fehlt oder beschädigt ist',
    'Put an MMDB file there, or set LINNET_GEOIP_FILE to one and start again.':
      'Eine MMDB-Datei dorthin legen, oder LINNET_GEOIP_FILE auf eine setzen und neu starten.',
    'Update the location data: see “Countries and cities” in docs/configuration.md.':
      'Die Standortdaten erneuern: siehe „Countries and cities“ in docs/configuration.md.',
    'No running plugin needs the location of visitors.':
      'Kein laufendes Plugin braucht den Standort der Besucher.',
    'This request came from {}, with X-Forwarded-For: {}.':
      'Diese Anfrage kam von {}, mit X-Forwarded-For: {}.',
    'That header is not trusted, so all visitors seem to come from {}.':
      'Diesem Header wird nicht vertraut, deshalb scheinen alle Besucher von {} zu kommen.',
    'It names fewer addresses than LINNET_TRUSTED_PROXIES, which is {}, so visitors can fake their IP address.':
      'Er nennt weniger Adressen als LINNET_TRUSTED_PROXIES angibt ({}), deshalb können Besucher ihre IP-Adresse fälschen.',
    'Set LINNET_TRUSTED_PROXIES to the number of proxies that each request passes, or better to their networks.':
      'LINNET_TRUSTED_PROXIES auf die Zahl der Proxys setzen, durch die jede Anfrage geht, oder besser auf ihre Netze.',
    'If {} is your proxy, set LINNET_TRUSTED_PROXIES={}, or its network.':
      'Ist {} dein Proxy, LINNET_TRUSTED_PROXIES={} setzen, oder sein Netz.',
    'But LINNET_TRUSTED_PROXIES says that there is a proxy.':
      'LINNET_TRUSTED_PROXIES sagt aber, dass es einen Proxy gibt.',
    'Let the proxy send X-Forwarded-For.': 'Den Proxy X-Forwarded-For senden lassen.',
    'If this request bypassed the proxy, send it through the proxy.':
      'Ging diese Anfrage am Proxy vorbei, sie über den Proxy senden.',
    'It was for the host {}, but short URLs begin with {}.':
      'Sie galt dem Host {}, Kurz-URLs beginnen aber mit {}.',
    'Set LINNET_BASE_URL to the address that visitors use, or let the proxy pass on the Host header unchanged.':
      'LINNET_BASE_URL auf die Adresse setzen, die Besucher benutzen, oder den Proxy den Header Host unverändert weitergeben lassen.',
    'Linnet takes it as a request from {}, for {}.': 'Linnet nimmt sie als Anfrage von {} für {}.',
    'Linnet takes it as a request from {}, since LINNET_TRUSTED_PROXIES names no proxy before that.':
      'Linnet nimmt sie als Anfrage von {}, weil LINNET_TRUSTED_PROXIES keinen Proxy davor nennt.',
    'If {} is a proxy of yours too, let LINNET_TRUSTED_PROXIES count or name it, or all its visitors count as one.':
      'Ist auch {} ein Proxy von dir, ihn in LINNET_TRUSTED_PROXIES mitzählen oder nennen, sonst zählen alle seine Besucher als einer.',
    'But short URLs begin with {}, so a proxy must be in front, and all its visitors seem to come from {}.':
      'Kurz-URLs beginnen aber mit {}, also muss ein Proxy davor stehen, und alle seine Besucher scheinen von {} zu kommen.',
    'Let the proxy send X-Forwarded-For, and set LINNET_TRUSTED_PROXIES to its network.':
      'Den Proxy X-Forwarded-For senden lassen, und LINNET_TRUSTED_PROXIES auf sein Netz setzen.',
    'PostgreSQL {} has {} of Linnet.': 'PostgreSQL {} hat {} von Linnet.',
    'fsync is off: a power cut can destroy the database.':
      'fsync ist aus: Ein Stromausfall kann die Datenbank zerstören.',
    'Set fsync = on in postgresql.conf and reload the server.':
      'fsync = on in postgresql.conf setzen und den Server neu laden.',
    'No server runs on this database at present.':
      'Zurzeit läuft kein Server mit dieser Datenbank.',
    'Servers on this database: {}.': 'Server mit dieser Datenbank: {}.',
    'The clock of this machine says {}, that of PostgreSQL {}.':
      'Die Uhr dieses Rechners zeigt {}, die von PostgreSQL {}.',
    'Links open and end at different times on servers whose clocks differ.':
      'Links öffnen und enden zu verschiedenen Zeiten auf Servern, deren Uhren verschieden gehen.',
    '{} does not run on this server, so links that it protects are closed here: {}.':
      '{} läuft auf diesem Server nicht, darum sind Links, die es schützt, hier geschlossen: {}.',
    'Install it on this server, or switch it on.':
      'Auf diesem Server installieren oder einschalten.',
    'Update all to the same version: older versions were not tested with data of newer ones.':
      'Alle auf dieselbe Version bringen: Ältere Versionen wurden nicht mit Daten neuerer getestet.',
    'PostgreSQL archived its write-ahead log last at {}, and failed at {}.':
      'PostgreSQL hat sein Write-Ahead-Log zuletzt um {} archiviert, und um {} gelang es nicht.',
    '{}, and failed at {}.': '{}, und um {} gelang es nicht.',
    'PostgreSQL has never archived its write-ahead log':
      'PostgreSQL hat sein Write-Ahead-Log noch nie archiviert',
    'PostgreSQL archived its write-ahead log last at {}, which is long ago, and Linnet cannot see whether you make dumps.':
      'PostgreSQL hat sein Write-Ahead-Log zuletzt um {} archiviert, das ist lange her, und Linnet sieht nicht, ob es Dumps gibt.',
    'PostgreSQL archived its write-ahead log last at {}.':
      'PostgreSQL hat sein Write-Ahead-Log zuletzt um {} archiviert.',
    'That does not show when the last base backup was made: make sure that pg_basebackup makes one each week.':
      'Das zeigt nicht, wann die letzte Grundsicherung gemacht wurde: dafür sorgen, dass pg_basebackup jede Woche eine macht.',
    'PostgreSQL archives no write-ahead log, and Linnet cannot see whether you make dumps.':
      'PostgreSQL archiviert kein Write-Ahead-Log, und Linnet sieht nicht, ob es Dumps gibt.',
    'The log of PostgreSQL says why: correct archive_command, and make sure that its disk has space.':
      'Im Protokoll von PostgreSQL steht, warum: archive_command berichtigen und für Platz auf dem Datenträger sorgen.',
    'Run pg_dump --format=custom each night, or set up archiving, and copy plugins/ of the data folder too.':
      'Jede Nacht pg_dump --format=custom ausführen oder die Archivierung einrichten, und plugins/ des Datenordners mitkopieren.',
    'The database does not respond.': 'Die Datenbank antwortet nicht.',
    'The log says why.': 'Im Protokoll steht, warum.',
    'Links work, but nothing can be written: {}.':
      'Links funktionieren, aber nichts lässt sich schreiben: {}.',
    'The write-ahead log was damaged or missing at the start.':
      'Das Write-Ahead-Log war beim Start beschädigt oder fehlte.',
    'The last changes before it may be lost.':
      'Die letzten Änderungen davor sind vielleicht verloren.',
    'Visits cannot be written: {}.': 'Besuche lassen sich nicht schreiben: {}.',
    '{} are waiting.': '{} warten.',
    'Events wait for {}, which failed of the next one: {}.':
      'Ereignisse warten auf {}, das am nächsten gescheitert ist: {}.',
    'Failures in a row: {}.': 'Fehler in Folge: {}.',
    'Events for {} were dropped, because more than {} waited: {}.':
      'Ereignisse für {} wurden verworfen, weil mehr als {} warteten: {}.',
    '{} does not run: {}.': '{} läuft nicht: {}.',
    '{} runs as before its last change: {}.': '{} läuft wie vor der letzten Änderung: {}.',
    'A newer version of {}, of another server or installed here before, has changed its tables: install that version.':
      'Eine neuere Version von {}, die ein anderer Server hat oder die hier früher installiert war, hat ihre Tabellen geändert: diese Version installieren.',
    'The settings, in settings.json of the data folder or in the database, are invalid and not in effect.':
      'Die Einstellungen, in settings.json des Datenordners oder in der Datenbank, sind ungültig und gelten nicht.',
    'Correct them; the log says what is wrong.':
      'Sie berichtigen; im Protokoll steht, was falsch ist.',
    '{} has been running for {} minutes.': '{} läuft seit {} Minuten.',
    'The last run of {} failed.': 'Der letzte Lauf von {} ist fehlgeschlagen.',
    'All environment variables are valid.': 'Alle Umgebungsvariablen sind gültig.',
    'Tell accounts by mail what happens to their links, limits, webhooks and imports.':
      'Konten per Mail sagen, was mit ihren Links, Grenzen, Webhooks und Importen geschieht.',
    Notices: 'Benachrichtigungen',
    'What you are told by mail. Much of the same comes as one mail.':
      'Was du per Mail erfährst. Vieles von derselben Art kommt in einer Mail.',
    'No plugin of this instance sends mail': 'Kein Plugin dieser Instanz verschickt Mail',
    'Your address is not taken': 'Deine Adresse wird nicht angenommen',
    'A limit of the plan is nearly reached, or reached':
      'Eine Grenze des Tarifs ist fast oder ganz erreicht',
    'Links end soon': 'Links enden bald',
    'Links are blocked': 'Links sind gesperrt',
    'Addresses of links do not answer': 'Adressen von Links antworten nicht',
    'Webhooks are switched off': 'Webhooks sind abgeschaltet',
    'Imports have ended': 'Importe sind beendet',
    'Numbers of the week, on Monday': 'Die Zahlen der Woche, am Montag',
    'What other plugins say': 'Was andere Plugins sagen',
    'Such as Europe/Berlin. Mails go by day.': 'Wie Europe/Berlin. Mails gehen am Tag hinaus.',
    'Send a test': 'Test senden',
    'Language of mails': 'Sprache der Mails',
    'Each account can choose another one.': 'Jedes Konto kann eine andere wählen.',
    'Mails go by day. Each account can choose another one. Such as Europe/Berlin.':
      'Mails gehen am Tag hinaus. Jedes Konto kann eine andere wählen. Wie Europe/Berlin.',
    'Tell of links that end soon': 'Links melden, die bald enden',
    'Send notices': 'Benachrichtigungen senden',
    'Look for limits that are reached': 'Nach erreichten Grenzen suchen',
    'Look for whom the week is over': 'Nachsehen, für wen die Woche vorbei ist',
    'Forget old notices': 'Alte Benachrichtigungen vergessen',
    'Save notices': 'Benachrichtigungen speichern',
    Sent: 'Gesendet',
    'Let visitors make accounts, with a link in a mail, within limits that you set.':
      'Besucher Konten anlegen lassen, mit einem Link in einer Mail, in Grenzen, die du setzt.',
    'Sign-ups': 'Registrierungen',
    'Accounts that visitors made for themselves.': 'Konten, die Besucher selbst angelegt haben.',
    Now: 'Jetzt',
    Open: 'Offen',
    'Not confirmed yet': 'Noch nicht bestätigt',
    'At most': 'Höchstens',
    'Who signed up': 'Wer sich registriert hat',
    'Signed up': 'Registriert',
    'E-mail address': 'E-Mail-Adresse',
    'Of e-mail addresses, one in each line, such as example.org. If empty, all.':
      'Von E-Mail-Adressen, eine in jeder Zeile, wie example.org. Wenn leer, alle.',
    'Slug of the plan that new accounts get, such as free. If empty, the usual one.':
      'Kürzel des Tarifs, den neue Konten bekommen, wie free. Wenn leer, der übliche.',
    'Most accounts': 'Höchstzahl der Konten',
    'So many accounts may come by sign-ups. Deleted ones do not count.':
      'So viele Konten dürfen durch Registrierung entstehen. Gelöschte zählen nicht.',
    'Most mails in an hour': 'Höchstzahl der Mails in einer Stunde',
    'For all visitors together; each client gets at most five.':
      'Für alle Besucher zusammen; jeder Client bekommt höchstens fünf.',
    'Send mails for sign-ups': 'Mails für Registrierungen senden',
    'Forget sign-ups that nobody confirmed': 'Unbestätigte Registrierungen vergessen',
    Closed: 'Geschlossen',
    Plan: 'Tarif',
    'Let assistants that speak the Model Context Protocol work with links, with the scopes of a token.':
      'Assistenten, die das Model Context Protocol sprechen, mit Links arbeiten lassen, im Rahmen eines Tokens.',
    MCP: 'MCP',
    'Second factor': 'Zweiter Faktor',
    'Who must have a second factor': 'Wer einen zweiten Faktor haben muss',
    'Who has none sets it up at the next sign-in with a password. Providers ask in their own way.':
      'Wer keinen hat, richtet ihn bei der nächsten Anmeldung mit Passwort ein. Anbieter fragen auf ihre eigene Weise.',
    Nobody: 'Niemand',
    Admins: 'Admins',
    Everybody: 'Alle',
    On: 'An',
    Off: 'Aus',
    'Recovery codes left': 'Übrige Wiederherstellungscodes',
    'Code that the app shows': 'Code, den die App zeigt',
    'Switch on': 'Einschalten',
    'Recovery codes': 'Wiederherstellungscodes',
    'New recovery codes': 'Neue Wiederherstellungscodes',
    'Those that you have will no longer work.': 'Die bisherigen gelten dann nicht mehr.',
    'Switch off': 'Ausschalten',
    'The password alone will be enough to sign in.':
      'Zum Anmelden reicht dann das Passwort allein.',
    'Picture to scan': 'Bild zum Scannen',
    Secret: 'Geheimnis',
    'Address for apps': 'Adresse für Apps',
    'Authenticator app': 'Authenticator-App',
    'Audit log': 'Änderungsprotokoll',
    'Keep who changed what, and bring back what links were before.':
      'Festhalten, wer was geändert hat, und zurückholen, was Links vorher waren.',
    'Days to keep': 'Tage zum Aufbewahren',
    'IP addresses': 'IP-Adressen',
    'From where a change came, with each entry. This is personal data: a network, such as 203.0.113.0/24, says less.':
      'Woher eine Änderung kam, bei jedem Eintrag. Das sind personenbezogene Daten: Ein Netz wie 203.0.113.0/24 sagt weniger.',
    'Are not kept': 'Werden nicht aufbewahrt',
    'Only their networks': 'Nur ihre Netze',
    'Are kept': 'Werden aufbewahrt',
    IP: 'IP',
    'Older entries are deleted every night.': 'Ältere Einträge werden jede Nacht gelöscht.',
    'Delete old entries of the audit log': 'Alte Einträge des Änderungsprotokolls löschen',
    'Check the audit log': 'Das Änderungsprotokoll prüfen',
    'Who changed what, and when.': 'Wer was geändert hat, und wann.',
    Changes: 'Änderungen',
    Who: 'Wer',
    What: 'Was',
    Kind: 'Art',
    Domains: 'Domains',
    'API tokens': 'API-Tokens',
    'Sign-ins': 'Anmeldungen',
    'Second steps': 'Zweite Schritte',
    'Accounts at providers': 'Konten bei Anbietern',
    'Lost events': 'Verlorene Ereignisse',
    Settings: 'Einstellungen',
    Plugins: 'Plugins',
    Download: 'Herunterladen',
    History: 'Verlauf',
    'Who changed this link. What a change replaced can come back.':
      'Wer diesen Link geändert hat. Was eine Änderung ersetzt hat, kann zurückkommen.',
    Undo: 'Rückgängig machen',
    'The link gets back what this change replaced.':
      'Der Link bekommt zurück, was diese Änderung ersetzt hat.',
    'Sign in with a passkey alone, or with the password and a code of an app or a passkey, for who wants it, or must.':
      'Mit einem Passkey allein anmelden, oder mit Passwort und einem Code einer App oder einem Passkey, wer das möchte oder muss.',
    'An authenticator app or a passkey, asked for when you sign in.':
      'Eine Authenticator-App oder ein Passkey, wonach bei der Anmeldung gefragt wird.',
    Passkeys: 'Passkeys',
    'Set up an app': 'App einrichten',
    'Add a passkey': 'Passkey hinzufügen',
    'Your passkeys': 'Deine Passkeys',
    'Where one was lost or sold, delete it here.':
      'Ist einer verloren oder verkauft, entferne ihn hier.',
    'Last used': 'Zuletzt benutzt',
    'Where the passkey is.': 'Wo der Passkey ist.',
    'Signs you in': 'Meldet dich an',
    'Without the password': 'Ohne Passwort',
    'After the password': 'Nach dem Passwort',
    'Signs me in without the password': 'Meldet mich ohne Passwort an',
    'The device asks for a finger, a face or a PIN.':
      'Das Gerät fragt nach Finger, Gesicht oder PIN.',
    'a passkey': 'Passkey',
    Save: 'Speichern',
    'Nobody signs in with this passkey any more. Without another one and without an app, the password alone will be enough.':
      'Mit diesem Passkey meldet sich niemand mehr an. Ohne einen weiteren und ohne App genügt dann das Passwort.',
    Passkey: 'Passkey',
    'Passkeys that were made at {} do not work at {}: {}.':
      'Passkeys, die auf {} erstellt wurden, funktionieren auf {} nicht: {}.',
    'Their owners sign in by their app or a recovery code, and add a passkey anew.':
      'Ihre Besitzer melden sich mit ihrer App oder einem Wiederherstellungscode an und fügen einen neuen Passkey hinzu.',
    'Or give the dashboard its former address again.':
      'Oder dem Dashboard wieder seine frühere Adresse geben.',
    'This plugin could not say whether something is wrong.':
      'Dieses Plugin konnte nicht sagen, ob etwas nicht stimmt.',
    'See the log of the server; docs/logs.md explains its messages.':
      'Siehe das Log des Servers; docs/logs.md erklärt die Meldungen.',
    When: 'Wann',
    Event: 'Ereignis',
    'Reads the export of another Linnet: JSON lines of GET /export or of linnet export.':
      'Liest den Export eines anderen Linnet: JSON-Zeilen von GET /export oder von linnet export.',
    'Reads a running Shlink over its REST API, a dump of its database, its SQLite file, or a CSV file of its web client.':
      'Liest ein laufendes Shlink über seine REST-API, einen Dump seiner Datenbank, seine SQLite-Datei oder eine CSV-Datei seines Web-Clients.',
    'Address of Shlink': 'Adresse von Shlink',
    'Only without a file, such as https://s.test.': 'Nur ohne Datei, etwa https://s.test.',
    'API key': 'API-Schlüssel',
    'Only without a file: from shlink api-key:generate, without roles.':
      'Nur ohne Datei: von shlink api-key:generate, ohne Rollen.',
    'Time zone': 'Zeitzone',
    'In which a database or a CSV file has its dates: the TIMEZONE of Shlink.':
      'In der eine Datenbank oder CSV-Datei Zeiten angibt: TIMEZONE von Shlink.',
    'Reads a dump of the database of Kutt, or its SQLite file, with all visits and passwords, or its API, which has less of both.':
      'Liest einen Dump der Datenbank von Kutt oder seine SQLite-Datei, mit allen Besuchen und Passwörtern, oder seine API, die von beidem weniger hat.',
    'Address of Kutt': 'Adresse von Kutt',
    'Only without a file, such as https://kutt.test.': 'Nur ohne Datei, etwa https://kutt.test.',
    'Only without a file: from the settings of Kutt.':
      'Nur ohne Datei: aus den Einstellungen von Kutt.',
    'Links of all users': 'Links aller Benutzer',
    'Over the API, with the key of an admin. Files always have those of all users.':
      'Über die API, mit dem Schlüssel eines Admins. Dateien haben immer die aller Benutzer.',
    'In which a dump of MySQL or MariaDB has its dates: that of the database.':
      'In der ein Dump von MySQL oder MariaDB Zeiten angibt: die der Datenbank.',
    'Reads a dump of the database of YOURLS with all visits, the CSV file of its plugin Import Export, or its API, which has links with sums of visits.':
      'Liest einen Dump der Datenbank von YOURLS mit allen Besuchen, die CSV-Datei seines Plugins Import Export, oder seine API, die Links mit Summen der Besuche hat.',
    'Address of YOURLS': 'Adresse von YOURLS',
    'Only without a file, such as https://sho.rt.': 'Nur ohne Datei, etwa https://sho.rt.',
    'Only without a file: the secret signature token on the page Tools of YOURLS.':
      'Nur ohne Datei: das geheime Signatur-Token auf der Seite Tools von YOURLS.',
    'Prefix of its tables': 'Präfix seiner Tabellen',
    'Only if a dump has the tables of several, such as yourls_.':
      'Nur wenn ein Dump die Tabellen von mehreren hat, etwa yourls_.',
    'In which YOURLS wrote dates: UTC, whatever it shows, unless a plugin changed it.':
      'In der YOURLS Zeiten schrieb: UTC, gleich was es zeigt, wenn kein Plugin es änderte.',
    Export: 'Export',
    'Take links away, with their visits, tags and campaigns. Another Linnet imports such a file.':
      'Links mitnehmen, mit Besuchen, Schlagwörtern und Kampagnen. Ein anderes Linnet importiert eine solche Datei.',
    'One file of JSON lines. Passwords of links are not in it.':
      'Eine Datei mit JSON-Zeilen. Passwörter von Links sind nicht darin.',
    'All accounts': 'Alle Konten',
    'The same of the whole instance. On the server, linnet export writes it with the hashes of passwords.':
      'Dasselbe von der ganzen Instanz. Auf dem Server schreibt linnet export es mit den Hashes der Passwörter.',
    'Without Linnet': 'Ohne Linnet',
    'Download for other servers': 'Für andere Server herunterladen',
    'Files with which nginx, Caddy, HAProxy, a static host or a program of yours redirects as your links do. What Linnet has to ask or decide at each visit is left out, and listed.':
      'Dateien, mit denen nginx, Caddy, HAProxy, ein statischer Host oder ein eigenes Programm so weiterleitet wie deine Links. Was Linnet bei jedem Besuch fragen oder entscheiden muss, fehlt darin und ist aufgelistet.',
    'Redirect with 301, as YOURLS does': 'Mit 301 weiterleiten wie YOURLS',
    'Redirect with 301, as Bitly does': 'Mit 301 weiterleiten wie Bitly',
    'Redirect with 308, as Chhoto URL does': 'Mit 308 weiterleiten wie Chhoto URL',
    'Redirect with 301, as Polr does': 'Mit 301 weiterleiten wie Polr',
    'Redirect with 301, as Rebrandly does': 'Mit 301 weiterleiten wie Rebrandly',
    'Redirect with 301, as Sink does': 'Mit 301 weiterleiten wie Sink',
    'Browsers keep that, and their later visits are not counted. Otherwise links redirect as others here do.':
      'Browser behalten das, und ihre späteren Besuche zählen nicht. Sonst leiten die Links weiter wie andere hier.',
    'Reads a dump of the database of Polr 2, with secret links, visits and users.':
      'Liest einen Dump der Datenbank von Polr 2, mit geheimen Links, Besuchen und Benutzern.',
    'In which Polr writes its dates: UTC, unless you changed it.':
      'In der Polr Zeiten schreibt: UTC, wenn es nicht geändert wurde.',
    'Reads the SQLite file of Chhoto URL, or its API, with links, notes, ends and sums of visits.':
      'Liest die SQLite-Datei von Chhoto URL oder seine API, mit Links, Notizen, Enddaten und Summen der Besuche.',
    'Address of Chhoto URL': 'Adresse von Chhoto URL',
    'Only without a file, such as https://c.test.': 'Nur ohne Datei, etwa https://c.test.',
    'Only without a file: its CHHOTO_API_KEY.': 'Nur ohne Datei: sein CHHOTO_API_KEY.',
    'Reads the links of all groups from the API of Bitly, with an access token, or a CSV file that Bitly exported.':
      'Liest die Links aller Gruppen aus der API von Bitly, mit einem Zugangstoken, oder eine CSV-Datei, die Bitly exportiert hat.',
    'An access token, from Settings, API.': 'Ein Zugangstoken, aus Settings, API.',
    API: 'API',
    'Where its API is. Change it only if yours is elsewhere.':
      'Wo seine API ist. Nur ändern, wenn sie woanders ist.',
    'Visits by day': 'Besuche nach Tagen',
    'One request for each link, of which Bitly takes some 1,500 an hour.':
      'Eine Anfrage für jeden Link; Bitly nimmt etwa 1.500 je Stunde an.',
    'Countries and referers': 'Länder und Referrer',
    'Two more requests for each day on which a link was visited.':
      'Zwei weitere Anfragen für jeden Tag, an dem ein Link besucht wurde.',
    'Reads the links of a workspace from the API of Dub, with a key of it, or a CSV file that Dub exported.':
      'Liest die Links eines Workspace aus der API von Dub, mit einem Schlüssel dafür, oder eine CSV-Datei, die Dub exportiert hat.',
    'From Settings, API Keys of the workspace, for reading links, domains and tags.':
      'Aus Settings, API Keys des Workspace, zum Lesen von Links, Domains und Schlagwörtern.',
    'Reads the links of a workspace from the API of Rebrandly, with an API key, or a CSV file that Rebrandly exported.':
      'Liest die Links eines Workspace aus der API von Rebrandly, mit einem API-Schlüssel, oder eine CSV-Datei, die Rebrandly exportiert hat.',
    'From Account, API keys.': 'Aus Account, API keys.',
    Workspace: 'Workspace',
    'Its id, if it is not the main one of the key.':
      'Seine Id, wenn es nicht der hauptsächliche des Schlüssels ist.',
    'Reads the domains and links of an account from the API of Short.io, with a secret key, or a CSV file that Short.io exported.':
      'Liest die Domains und Links eines Kontos aus der API von Short.io, mit einem geheimen Schlüssel, oder eine CSV-Datei, die Short.io exportiert hat.',
    'A secret key, from Integrations & API.': 'Ein geheimer Schlüssel, aus Integrations & API.',
    'Where visitors of some countries go. One request for each link.':
      'Wohin Besucher mancher Länder kommen. Eine Anfrage für jeden Link.',
    'Reads all links from a server of Sink, with its site token, or the JSON file that it exports or backs up.':
      'Liest alle Links von einem Server von Sink, mit seinem Site-Token, oder die JSON-Datei, die er exportiert oder sichert.',
    Server: 'Server',
    'The address of your Sink, such as https://sink.example.com.':
      'Die Adresse deines Sink, etwa https://sink.example.com.',
    'The site token with which you sign in there.':
      'Das Site-Token, mit dem du dich dort anmeldest.',
    'Upper and lower case matter': 'Groß- und Kleinschreibung zählt',
    'Only if NUXT_CASE_SENSITIVE is true there.': 'Nur wenn dort NUXT_CASE_SENSITIVE true ist.',
    'Reads a CSV file of a host, from the data of Firebase Dynamic Links in Google Takeout.':
      'Liest eine CSV-Datei eines Hosts, aus den Daten von Firebase Dynamic Links in Google Takeout.',
    'CSV file': 'CSV-Datei',
    'Reads a table of links with commas, semicolons, tabs or bars, as spreadsheets and most shorteners export them.':
      'Liest eine Tabelle von Links mit Kommas, Semikolons, Tabulatoren oder senkrechten Strichen, wie Tabellenprogramme und die meisten Kurzlink-Dienste sie exportieren.',
    Columns: 'Spalten',
    'Only those whose names do not tell it: what a column has, and its name or number, such as code=Back half or originalUrl=#2.':
      'Nur die, deren Namen es nicht sagen: was eine Spalte hat, und ihr Name oder ihre Nummer, etwa code=Back half oder originalUrl=#2.',
    'In which dates are that do not name one, such as Europe/Berlin.':
      'In der Zeiten sind, die keine nennen, etwa Europe/Berlin.',
    'To read files, a server needs 192 MiB of memory, and this one has less. Give it more, or run linnet import on its machine, outside of the container or service that has so little.':
      'Um Dateien zu lesen, braucht ein Server 192 MiB Speicher, und dieser hat weniger. Gib ihm mehr, oder führe linnet import auf seinem Rechner aus, außerhalb des Containers oder Dienstes, der so wenig hat.',
  },
  problems: {
    malformed_request: 'Die Anfrage ist kein gültiges HTTP.',
    malformed_json: 'Die Anfrage ist kein gültiges JSON.',
    unauthenticated: 'Dafür ist eine Anmeldung nötig.',
    invalid_token: 'Das API-Token ist unbekannt, abgelaufen oder widerrufen.',
    invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    second_step_required: 'Dieses Konto braucht einen zweiten Schritt.',
    fresh_sign_in_required: 'Dafür musst du dich noch einmal ausweisen.',
    domain_not_allowed: 'Mit deiner Adresse kann man sich hier nicht anmelden. Frag einen Admin.',
    group_not_allowed: 'Du bist in keiner Gruppe, die sich hier anmelden darf. Frag einen Admin.',
    account_suspended: 'Dieses Konto ist gesperrt. Frage, wer diese Seite betreibt.',
    link_suspended: 'Dieser Link ist gesperrt.',
    no_account:
      'Für dich gibt es hier kein Konto. Bitte einen Admin um eines, oder melde dich mit deinem Passwort an.',
    not_proven:
      'Der andere Server hat nicht gefragt, wer du bist. Melde dich dort und hier ab und dann wieder an.',
    other_account: 'Das war ein anderes Konto als das, mit dem du angemeldet bist.',
    sign_in_expired:
      'Die Anmeldung hat zu lange gedauert oder begann in einem anderen Browser. Versuche es noch einmal.',
    wrong_answer: 'Die Antwort ist falsch.',
    invalid_ticket: 'Das hat zu lange gedauert. Melde dich noch einmal an.',
    passwords_off:
      'Dieses Konto meldet sich hier nicht mit Passwort an. Melde dich bei einem der anderen Server an.',
    provider_refused: 'Der andere Server hat dich nicht angemeldet.',
    sign_in_failed: 'Die Anmeldung dort hat nicht geklappt. Versuche es später noch einmal.',
    second_step_unavailable:
      'Der zweite Schritt kann gerade nicht abgefragt werden. Versuche es später noch einmal, oder wende dich an den Betreiber.',
    insufficient_scope: 'Das dürfen nur Admins, oder dem Token fehlt ein Recht.',
    feature_not_in_plan: 'Das ist in deinem Tarif nicht enthalten.',
    feature_disabled: 'Das ist auf dieser Instanz ausgeschaltet.',
    plan_limit_reached: 'Das Limit deines Tarifs ist erreicht.',
    limit_reached: 'Das Limit dieser Instanz ist erreicht.',
    mail_uncertain: 'Der Mailserver hat nicht gesagt, ob er die Mail angenommen hat.',
    mail_put_off: 'Der Mailserver nimmt diese Mail erst später an.',
    forbidden_origin: 'Eine Seite von woanders darf nicht mit dem MCP-Server sprechen.',
    sign_up_closed: 'Hier kann jetzt niemand ein Konto anlegen.',
    sign_up_over: 'Der Link zum Anlegen eines Kontos wurde verwendet oder ist abgelaufen.',
    mail_failed: 'Die Mail ließ sich nicht verschicken; das Log sagt, warum.',
    mail_invalid: 'Die Mail hat keine gültige Adresse, keinen Betreff oder keinen Text.',
    mail_off: 'Kein laufendes Plugin verschickt Mail.',
    mail_refused: 'Der Mailserver nimmt diese Mail nicht an.',
    notice_invalid: 'Der Hinweis hat keinen gültigen Titel, Text, Rang oder Empfänger.',
    notices_off: 'Kein laufendes Plugin stellt Hinweise zu, oder keines nahm diesen an.',
    malformed_form: 'Das Formular ist nicht lesbar.',
    cross_site_request: 'Die Änderung kam von einer Seite einer anderen Website.',
    session_required: 'Das geht nur mit einer Sitzung, nicht mit einem Token.',
    password_required: 'Dafür muss mit dem Passwort ein neues Token erstellt werden.',
    invalid_code: 'Das ist nicht der Einrichtungscode aus dem Protokoll.',
    invalid_one_time_link:
      'Dieser Link wurde benutzt, widerrufen oder ersetzt, oder er ist abgelaufen. Bitte einen Admin um einen neuen.',
    answer_needed: 'Der Link fragt Besucher zuerst etwas.',
    not_shown:
      'Der Link hat eine begrenzte Zahl von Besuchen: Erst das Öffnen zeigt, wohin er führt.',
    target_not_allowed: 'Der Link führt zu einer Adresse, die hier nicht erlaubt ist.',
    not_found: 'Das gibt es nicht, oder nicht mehr.',
    not_started: 'Der Link ist noch nicht offen.',
    method_not_allowed: 'Das ist hier nicht möglich.',
    request_timeout: 'Die Anfrage hat zu lange gebraucht.',
    codes_collide: 'Kurzcodes wären gleich oder gingen verloren.',
    external_id_taken: 'Ein anderer Link hat die externe Kennung.',
    short_code_taken: 'Der Kurzcode ist vergeben.',
    name_taken: 'Diesen Namen gibt es schon.',
    key_taken: 'Ein anderes Konto hat diesen Schlüssel schon.',
    email_taken: 'Ein anderes Konto hat diese E-Mail-Adresse.',
    host_taken: 'Ein anderes Konto weist nach, dass ihm die Domain gehört.',
    domain_in_use:
      'Auf der Domain liegen Links. Sie müssen zuerst verschoben oder gelöscht werden.',
    not_verified: 'Der Nachweis wurde nicht gefunden.',
    idempotency_key_reused: 'Das ließ sich nicht senden. Bitte noch einmal versuchen.',
    request_in_progress: 'Das läuft noch. Bitte gleich noch einmal versuchen.',
    outcome_unknown: 'Die Anfrage wurde unterbrochen. Bitte prüfen, ob sie gewirkt hat.',
    changed_meanwhile:
      'Das Konto wurde im selben Moment geändert, oder etwas, worauf sich die Anfrage bezieht, wurde gelöscht.',
    own_account:
      'Das ist dein eigenes Konto: Dein Passwort änderst du in den Einstellungen, Admin-Rechte nimmt dir nur ein anderes Admin-Konto.',
    last_way_in:
      'Sonst meldet nichts dieses Konto an. Zuerst ein Passwort setzen oder sich bei einem anderen Anbieter anmelden.',
    last_admin: 'Das ist das einzige Admin-Konto. Zuerst muss ein anderes Konto Admin werden.',
    file_under_way: 'Es wird schon eine andere Datei gesendet.',
    import_running: 'Ein Import ist noch nicht beendet. Warten, oder ihn anhalten.',
    import_ended: 'Dieser Import ist beendet oder erwartet keine Datei.',
    too_little_memory: 'Der Server hat dafür zu wenig Speicher.',
    job_running: 'Diese Aufgabe läuft schon.',
    backup_running: 'Eine Sicherung läuft schon.',
    not_supported: 'Diese Datenbank kann Linnet nicht kopieren.',
    plugin_broken: 'Das Plugin lässt sich nicht laden, oder seine Einstellungen sind ungültig.',
    plugin_install_off: 'Plugins hier zu installieren ist ausgeschaltet.',
    plugin_index_unusable: 'Das Verzeichnis der Plugins lässt sich nicht lesen.',
    needs_unmet: 'Ein Plugin, das dieses braucht, ist aus.',
    needed: 'Ein Plugin, das an ist, braucht dieses.',
    fixed_by_environment: 'Die Umgebungsvariable PLUGINS legt fest, welche Plugins an sind.',
    webhook_off: 'Der Webhook ist ausgeschaltet. Schalten Sie ihn erst ein.',
    already_public: 'Diese Zahlen haben schon eine öffentliche Seite.',
    second_factor_on: 'Das Konto hat schon einen zweiten Faktor.',
    second_factor_off: 'Das Konto hat keinen zweiten Faktor.',
    cannot_be_undone: 'Das lässt sich nicht rückgängig machen.',
    audit_log_broken: 'Das Änderungsprotokoll ist nicht mehr, wie es geschrieben wurde.',
    plan_taken: 'Ein anderer Tarif hat diesen Kurznamen.',
    plan_retired: 'Der Tarif nimmt keine Konten mehr auf.',
    plan_in_use: 'Der Tarif wird noch gebraucht oder hat noch Konten.',
    backup_unusable: 'Diese Sicherung lässt sich nicht verwenden.',
    expired: 'Der Link ist abgelaufen.',
    exhausted: 'Der Link hat seine Höchstzahl an Besuchen erreicht.',
    stale: 'Das wurde inzwischen an anderer Stelle geändert.',
    payload_too_large: 'Das ist zu groß zum Senden.',
    unsupported_media_type: 'Dieses Format nimmt der Server nicht an.',
    expectation_failed: 'Diese Anfrage versteht der Server nicht.',
    misdirected: 'Dieser Server antwortet nicht für diesen Host.',
    validation_failed: 'Manche Angaben sind ungültig.',
    wrong_password: 'Das aktuelle Passwort ist falsch oder fehlt.',
    unsafe_url: 'Die URL gilt als schädlich oder sieht einer anderen täuschend ähnlich.',
    too_many_requests: 'Zu viele Versuche. Bitte etwas warten.',
    headers_too_large: 'Die Anfrage ist zu groß.',
    blocked: 'Der Link führt zu einem bekannten schädlichen Ziel.',
    internal: 'Das ist ein Fehler von Linnet, nicht deiner. Ein neuer Versuch kann helfen.',
    unavailable: 'Der Server ist gerade überlastet. Bitte später noch einmal versuchen.',
  },
}
