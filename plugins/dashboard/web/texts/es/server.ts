import type { ServerTexts } from '../../language/server-texts.ts'

export const serverTexts: ServerTexts = {
  sentences: {
    Scheduled: 'Programado',
    Expired: 'Caducado',
    'Limit reached': 'Límite alcanzado',
    Blocked: 'Bloqueado',
    'Choose the short code of a new link.': 'Elegir el código corto de un enlace nuevo.',
    'Custom short code': 'Código corto propio',
    Link: 'Enlace',
    'Short code': 'Código corto',
    '1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.':
      'De 1 a 64 letras, cifras, guiones y guiones bajos. Importan mayúsculas y minúsculas.',
    'Change the short code of an existing link; the old one keeps working.':
      'Cambiar el código corto de un enlace existente; el anterior sigue funcionando.',
    'Edit short code': 'Cambiar el código corto',
    '1 to 64 letters, digits, hyphens and underscores. Former short codes keep working.':
      'De 1 a 64 letras, cifras, guiones y guiones bajos. Los códigos anteriores siguen funcionando.',
    'Change where an existing link leads.': 'Cambiar adónde lleva un enlace existente.',
    'Edit original URL': 'Cambiar la URL de destino',
    'Original URL': 'URL de destino',
    'Give a new link the title of the page it leads to.':
      'Dar a un enlace nuevo el título de la página a la que lleva.',
    'Page title': 'Título de la página',
    'Block links to addresses that are known to be harmful.':
      'Bloquear enlaces a direcciones conocidas como dañinas.',
    'URL scanning': 'Análisis de URL',
    'Add UTM parameters to the original URL of a link.':
      'Añadir parámetros UTM a la URL de destino de un enlace.',
    'UTM parameters': 'Parámetros UTM',
    'These replace all five UTM parameters of the original URL, also when the URL is changed later.':
      'Sustituyen los cinco parámetros UTM de la URL de destino, también si esta cambia más tarde.',
    'Open a link at a date, and end it at a date or after a number of visits.':
      'Abrir un enlace en una fecha y terminarlo en una fecha o tras un número de visitas.',
    'Link expiration': 'Caducidad',
    'Opens at': 'Se abre el',
    'Ends at': 'Termina el',
    'Maximum visits': 'Máximo de visitas',
    'The link ends after this many visits, counted from when you set the limit. Previews and bots use none up, and do not see where the link leads.':
      'El enlace termina tras este número de visitas, contadas desde que fijas el límite. Las vistas previas y los bots no gastan ninguna y no ven adónde lleva el enlace.',
    'URL after the end': 'URL tras el final',
    'Where visitors go once the link has ended. Leave empty to show a page that says so.':
      'Adónde van los visitantes cuando el enlace ha terminado. Vacío: se muestra una página que lo dice.',
    'Ask for a password before redirecting.': 'Pedir una contraseña antes de redirigir.',
    'Password protection': 'Protección con contraseña',
    Password: 'Contraseña',
    'Send visitors to different URLs by rules, and split them by weight.':
      'Enviar a los visitantes a distintas URL según reglas y repartirlos por peso.',
    'Dynamic routing': 'Redirección dinámica',
    'Routing rules': 'Reglas de redirección',
    'The first rule that matches a visitor decides where they go. If none matches, they go to the original URL.':
      'La primera regla que coincide con un visitante decide adónde va. Si no coincide ninguna, va a la URL de destino.',
    'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield.':
      'Escribe una ciudad por su nombre en inglés, como Munich, o como US|Illinois|Springfield.',
    'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield, or a list of them.':
      'Escribe una ciudad por su nombre en inglés, como Munich, o como US|Illinois|Springfield, o una lista.',
    'Enter an address or a network, such as 192.0.2.0/24 or 2001:db8::/32, or a list of them.':
      'Escribe una dirección o una red, como 192.0.2.0/24 o 2001:db8::/32, o una lista.',
    'Page before leaving': 'Página antes de salir',
    'Show visitors where a link leads, and let them go on by a button.':
      'Mostrar a los visitantes adónde lleva un enlace y dejarles continuar con un botón.',
    'Visitors see where the link leads, and go on by a button. With a limited number of visits they do not see where, and the button uses up one.':
      'Los visitantes ven adónde lleva el enlace y continúan con un botón. Si el número de visitas es limitado no lo ven, y el botón gasta una.',
    'Paths after the code': 'Rutas tras el código',
    'Add what visitors write behind a short code to the original URL, or put it into a template.':
      'Añadir a la URL de destino lo que los visitantes escriben tras un código corto, o insertarlo en una plantilla.',
    'append, or a template such as /issues/{1} on the host of the original URL.':
      'append, o una plantilla como /issues/{1} en el host de la URL de destino.',
    'Enter append, or a template that begins with /: scheme and host are those of the original URL.':
      'Escribe append, o una plantilla que empiece por /: el esquema y el host son los de la URL de destino.',
    'A placeholder is {1} to {9}, {*} or {query.name}, perhaps with a default, such as {1|start}.':
      'Un marcador es {1} a {9}, {*} o {query.name}, quizá con un valor predeterminado, como {1|start}.',
    'The template has no placeholder, such as {1} or {*}.':
      'La plantilla no tiene ningún marcador, como {1} o {*}.',
    'The template is no path. It has no spaces, backslashes, empty parts, . or .., and each % is followed by two hexadecimal digits.':
      'La plantilla no es una ruta. No tiene espacios, barras invertidas, partes vacías, . ni .., y a cada % le siguen dos cifras hexadecimales.',
    "Pass the visitor's query parameters on to the original URL.":
      'Pasar los parámetros de consulta del visitante a la URL de destino.',
    'Query forwarding': 'Reenvío de parámetros',
    'Forward query parameters': 'Reenviar parámetros de consulta',
    'The link’s own parameters are kept.': 'Se conservan los parámetros propios del enlace.',
    'Choose the status with which a link redirects, and how long browsers may keep it.':
      'Elegir el estado con el que redirige un enlace y cuánto tiempo pueden guardarlo los navegadores.',
    'Give links the ids that they have elsewhere, and find them by these.':
      'Dar a los enlaces los identificadores que tienen en otro sitio y encontrarlos por ellos.',
    'External id': 'Identificador externo',
    'What another program calls the link. No two links of an account have the same.':
      'Cómo llama otro programa al enlace. Dos enlaces de una cuenta no tienen el mismo.',
    'Another link of yours has the external id {}.':
      'Otro de tus enlaces tiene el identificador externo {}.',
    'Redirect status': 'Estado de la redirección',
    'Usual redirect status': 'Estado habitual de la redirección',
    'For links that do not say otherwise. With 302 they cost the least.':
      'Para los enlaces que no digan otra cosa. Con 302 cuestan menos.',
    'Seconds that browsers keep the redirect':
      'Segundos que los navegadores guardan la redirección',
    'For links that do not say otherwise, and redirect with 301 or 308. Visits meanwhile are not counted.':
      'Para los enlaces que no digan otra cosa y redirijan con 301 o 308. Las visitas de ese tiempo no se cuentan.',
    'Leave empty for the usual one of this instance. A link with a password, dates, a limit of visits or routing rules redirects with 302.':
      'Déjalo vacío para el habitual de esta instancia. Un enlace con contraseña, fechas, límite de visitas o reglas redirige con 302.',
    'Only with 301 or 308. Visits from a browser that keeps the redirect are not counted, and changes of the link do not reach it before.':
      'Solo con 301 o 308. Las visitas de un navegador que guarda la redirección no se cuentan, y los cambios del enlace no le llegan antes.',
    '301 – for good': '301: definitivo',
    '302 – for now': '302: por ahora',
    '307 – for now': '307: por ahora',
    '308 – for good': '308: definitivo',
    'Redirects with 302': 'Redirige con 302',
    '302 for the password': '302 por la contraseña',
    '302 for dates or limit': '302 por fechas o límite',
    '302 for rules': '302 por las reglas',
    '302 for the page before': '302 por la página previa',
    'Browsers keep redirects with 301 and 308 only. Choose one of them, or leave this empty.':
      'Los navegadores solo guardan redirecciones con 301 y 308. Elige una de ellas o deja esto vacío.',
    'Browsers keep redirects with 301 and 308 only. Choose one of them, or empty the seconds that browsers keep the redirect.':
      'Los navegadores solo guardan redirecciones con 301 y 308. Elige una de ellas o vacía los segundos que los navegadores la guardan.',
    'Show where a link leads, without going there, when a plus sign follows its short code.':
      'Mostrar adónde lleva un enlace, sin ir allí, cuando un signo más sigue a su código corto.',
    'Link preview': 'Vista previa de enlaces',
    'Put links on your own domains, each with a front page and a page for unknown short codes.':
      'Poner enlaces en dominios propios, cada uno con una portada y una página para códigos desconocidos.',
    'Custom domains': 'Dominios propios',
    Organization: 'Organización',
    Domain: 'Dominio',
    'Host of one of your verified domains or of one that is shared with you; null, the default of new links, is the host of this instance.':
      'Host de uno de tus dominios verificados o de uno compartido contigo; sin indicarlo, el host de esta instancia.',
    'Shared domains': 'Dominios compartidos',
    'Domains of this instance, on which the accounts of some plans or of all can have links.':
      'Dominios de esta instancia en los que las cuentas de algunos planes o de todos pueden tener enlaces.',
    Plans: 'Planes',
    Links: 'Enlaces',
    Accounts: 'Cuentas',
    'Share no more': 'Dejar de compartir',
    'The host then shows nothing of Linnet. This works only while no links are on it.':
      'El host ya no muestra nada de Linnet. Solo es posible mientras no haya enlaces en él.',
    'As links.example.org. One that is shared already is changed to what you enter here.':
      'Por ejemplo links.example.org. Uno que ya se comparte cambia a lo que indiques aquí.',
    'The short names of the plans, as free. Empty: all.':
      'Los nombres cortos de los planes, por ejemplo free. Vacío: todos.',
    'Share this domain': 'Compartir este dominio',
    'Choose what the main host shows at its bare address, for unknown short codes and to search engines.':
      'Elegir qué muestra el host principal en su dirección sola, para códigos desconocidos y a los buscadores.',
    'Front page': 'Página principal',
    'Search engines may index it': 'Los buscadores pueden indexarlo',
    'Otherwise they are asked to leave the short URL out. What the link leads to is not concerned.':
      'Si no, se les pide que omitan la URL corta. No afecta al destino del enlace.',
    'What visitors of the bare address see. Empty: the dashboard, unless it has a host of its own.':
      'Lo que ven quienes visitan la dirección sola. Vacío: el panel, salvo que tenga un host propio.',
    'The dashboard': 'El panel',
    'Another address': 'Otra dirección',
    'A text': 'Un texto',
    'Nothing (404)': 'Nada (404)',
    'Address of the front page': 'Dirección de la página principal',
    'Title of the text': 'Título del texto',
    'Text of the front page': 'Texto de la página principal',
    'Unknown short codes': 'Códigos desconocidos',
    'Empty: a page that says so.': 'Vacío: una página que lo dice.',
    'A page that says so (404)': 'Una página que lo dice (404)',
    'Address for unknown short codes': 'Dirección para códigos desconocidos',
    'Search engines (robots.txt)': 'Buscadores (robots.txt)',
    'On all hosts. Empty: they may read nothing but links that say so.':
      'En todos los hosts. Vacío: solo pueden leer los enlaces que lo permitan.',
    'Nothing but links that say so': 'Solo los enlaces que lo permitan',
    Everything: 'Todo',
    'A text of your own': 'Un texto propio',
    'Text of robots.txt': 'Texto de robots.txt',
    'What the main host shows besides links.':
      'Lo que muestra el host principal además de enlaces.',
    'Main host': 'Host principal',
    'Visitors get': 'Los visitantes reciben',
    'For search engines': 'Para los buscadores',
    'They read': 'Leen',
    'Contact for security reports': 'Contacto para avisos de seguridad',
    'In security.txt, such as mailto:security@example.com or https://example.com/security. Empty: there is none.':
      'En security.txt, como mailto:security@example.com o https://example.com/security. Vacío: no hay ninguno.',
    'For security reports': 'Para avisos de seguridad',
    'security.txt': 'security.txt',
    'Enter mailto: with an e-mail address, or a URL with https://.':
      'Escribe mailto: con una dirección de correo o una URL con https://.',
    'Save front page': 'Guardar la página principal',
    'Enter the address of the front page, or choose another one.':
      'Escribe la dirección de la página principal o elige otra.',
    'Enter a title, or choose another front page.':
      'Escribe un título o elige otra página principal.',
    'Enter the address for unknown short codes, or choose the page.':
      'Escribe la dirección para códigos desconocidos o elige la página.',
    'Enter the text of robots.txt, or choose another one.':
      'Escribe el texto de robots.txt o elige otro.',
    'Each line is a rule, such as Disallow: /private, or begins with #.':
      'Cada línea es una regla, como Disallow: /private, o empieza por #.',
    'This is the host of the dashboard.': 'Este es el host del panel.',
    'There is nothing here.': 'Aquí no hay nada.',
    'Label links with coloured tags, and filter links by tag.':
      'Marcar enlaces con etiquetas de color y filtrarlos por etiqueta.',
    Tags: 'Etiquetas',
    'Ids of tags, at most 50.': 'Identificadores de etiquetas, 50 como máximo.',
    'Tags to add': 'Etiquetas que añadir',
    'Ids of tags to add to the link.': 'Identificadores de etiquetas que recibe además el enlace.',
    'Tags to remove': 'Etiquetas que quitar',
    'Ids of tags to remove from the link.':
      'Identificadores de etiquetas que pierde el enlace, si las tiene.',
    'Group links into campaigns, with combined statistics.':
      'Agrupar enlaces en campañas, con estadísticas conjuntas.',
    Campaigns: 'Campañas',
    Campaign: 'Campaña',
    'Id of a campaign.': 'Identificador de una campaña.',
    'Send the mail of all plugins over an SMTP server.':
      'Enviar el correo de todas las extensiones por un servidor SMTP.',
    Mail: 'Correo',
    'URL of the mail server, such as smtps://name:password@mail.example.org':
      'URL del servidor de correo, como smtps://name:password@mail.example.org',
    Sender: 'Remitente',
    'The address that mail comes from, such as links@example.org. If empty, the name in LINNET_SMTP_URL.':
      'La dirección de la que sale el correo, como links@example.org. Si está vacía, el nombre de LINNET_SMTP_URL.',
    'One line of text.': 'Una línea de texto.',
    'Name of the sender': 'Nombre del remitente',
    'Let people sign in at a server that speaks OpenID Connect, such as that of a company.':
      'Permite iniciar sesión en un servidor que habla OpenID Connect, como el de una empresa.',
    'Single sign-on': 'Inicio de sesión único',
    Issuer: 'Emisor (issuer)',
    'Such as https://login.example.org, as the provider writes it.':
      'Como https://login.example.org, tal como lo escribe el proveedor.',
    'Client ID': 'ID de cliente',
    'Client secret': 'Secreto del cliente',
    Scopes: 'Ámbitos (scopes)',
    'What the provider is asked for, with openid among it.':
      'Lo que se pide al proveedor; openid debe estar incluido.',
    'Sign people in to the account with their verified address':
      'Iniciar la sesión en la cuenta que tiene la dirección verificada de la persona',
    'Whoever gets an address at the provider gets the account that has it here.':
      'Quien obtiene una dirección en el proveedor obtiene la cuenta que la tiene aquí.',
    'Make accounts for people who have none': 'Crear cuentas para quienes no tienen ninguna',
    'Trust addresses of which the provider does not say whether they are verified':
      'Confiar en direcciones de las que el proveedor no dice si están verificadas',
    'Only for a provider where nobody can enter an address of somebody else.':
      'Solo para un proveedor donde nadie pueda indicar la dirección de otra persona.',
    'Allowed domains': 'Dominios permitidos',
    'Only people with a verified address there come in. If empty, all.':
      'Solo entra quien tiene ahí una dirección verificada. Si está vacío, todos.',
    'Claim with the groups': 'Claim con los grupos',
    'Such as groups or realm_access.roles.': 'Como groups o realm_access.roles.',
    'Allowed groups': 'Grupos permitidos',
    'Only people in one of them come in. If empty, all.':
      'Solo entra quien está en uno de ellos. Si está vacío, todos.',
    'Groups of admins': 'Grupos de administradores',
    'Whoever is in one of them is an admin, and nobody else whom the provider signs in. If empty, nothing changes.':
      'Quien está en uno de ellos es administrador, y nadie más de los que entran por el proveedor. Si está vacío, nada cambia.',
    'Plans of groups': 'Planes de los grupos',
    'Lines such as staff = pro; the first that fits is taken. * = free is for everybody else.':
      'Líneas como staff = pro; vale la primera que coincide. * = free es para los demás.',
    'Admins only': 'Solo administradores',
    'Sign people out there, too': 'Cerrar también la sesión allí',
    'Where the provider offers that. It may end their sessions elsewhere.':
      'Donde el proveedor lo ofrece. Puede terminar sus sesiones en otros sitios.',
    'Who may sign in by password, too': 'Quién puede entrar también con contraseña',
    'Export links with all that belongs to them, or as files with which other servers redirect.':
      'Exportar los enlaces con todo lo que les pertenece, o como archivos con los que otros servidores redirigen.',
    Exports: 'Exportaciones',
    'Save searches of links under a name.': 'Guardar búsquedas de enlaces con un nombre.',
    'Bring links, their visits and tags from other programs.':
      'Traer de otros programas enlaces con sus visitas y etiquetas.',
    Imports: 'Importaciones',
    'Largest file': 'Archivo más grande',
    'In MiB.': 'En MiB.',
    'Go on with imports': 'Continuar importaciones',
    'Tidy up imports': 'Ordenar importaciones',
    'Saved searches': 'Búsquedas guardadas',
    'Visits left out': 'Visitas no contadas',
    'Leave visits from your own networks, and of owners of links, out of all numbers.':
      'No contar las visitas desde tus redes ni las de los propietarios de los enlaces.',
    Networks: 'Redes',
    'One address or network a line, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.':
      'Una dirección o una red por línea, como 192.0.2.7, 192.0.2.0/24 o 2001:db8::/32.',
    'Leave out the owner of the link': 'No contar al propietario del enlace',
    'Whoever is signed in to the dashboard in the same browser. Not on custom domains, where no browser says so.':
      'Quien ha iniciado sesión en el panel en el mismo navegador. No en dominios propios, donde ningún navegador lo dice.',
    'Enter an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.':
      'Escribe una dirección o una red, como 192.0.2.7, 192.0.2.0/24 o 2001:db8::/32.',
    'Tracking pixel': 'Píxel de seguimiento',
    'Count a visit by an image of one pixel, at /code/track.gif, without redirecting.':
      'Contar una visita con una imagen de un píxel, en /code/track.gif, sin redirigir.',
    'Count visits, with those of bots counted separately.':
      'Contar visitas, las de bots por separado.',
    'Visits tracking': 'Recuento de visitas',
    Analytics: 'Estadísticas',
    Visits: 'Visitas',
    Bots: 'Bots',
    'Count unique visitors per day, without identifying anyone.':
      'Contar visitantes únicos por día, sin identificar a nadie.',
    'Unique visitors': 'Visitantes únicos',
    'Daily unique visitors': 'Visitantes únicos por día',
    'Draw a QR code for each link, and count the visits that come from it.':
      'Dibujar un código QR para cada enlace y contar las visitas que llegan por él.',
    'QR codes': 'Códigos QR',
    'Visits from QR codes': 'Visitas por código QR',
    'Show the number of visits over time.': 'Mostrar el número de visitas a lo largo del tiempo.',
    'Visits over time': 'Visitas a lo largo del tiempo',
    'Count visits by browser.': 'Contar visitas por navegador.',
    'Visits by browser': 'Visitas por navegador',
    Browser: 'Navegador',
    'Count visits by operating system.': 'Contar visitas por sistema operativo.',
    'Visits by operating system': 'Visitas por sistema operativo',
    'Operating system': 'Sistema operativo',
    'Count visits by device type: desktop, mobile, tablet or other.':
      'Contar visitas por tipo de dispositivo: ordenador, móvil, tableta u otro.',
    'Visits by device type': 'Visitas por tipo de dispositivo',
    'Device type': 'Tipo de dispositivo',
    'Count visits by preferred language.': 'Contar visitas por idioma preferido.',
    'Visits by language': 'Visitas por idioma',
    Language: 'Idioma',
    'Count visits by country.': 'Contar visitas por país.',
    'Visits by country': 'Visitas por país',
    Country: 'País',
    'Count visits by city.': 'Contar visitas por ciudad.',
    'Visits by city': 'Visitas por ciudad',
    City: 'Ciudad',
    'Count visits by the routing rule that applied.':
      'Contar visitas por la regla de redirección aplicada.',
    'Visits by routing rule': 'Visitas por regla de redirección',
    'Routing rule': 'Regla de redirección',
    'Count visits by the website they come from.': 'Contar visitas por el sitio del que vienen.',
    'Visits by referer': 'Visitas por procedencia',
    Referer: 'Procedencia',
    'Count visits by UTM parameter.': 'Contar visitas por parámetro UTM.',
    'UTM tracking': 'Seguimiento UTM',
    'UTM source': 'Fuente UTM',
    'UTM medium': 'Medio UTM',
    'UTM campaign': 'Campaña UTM',
    'UTM term': 'Término UTM',
    'UTM content': 'Contenido UTM',
    'Show the analytics of a link, tag or campaign to everyone who knows a secret address.':
      'Mostrar las estadísticas de un enlace, una etiqueta o una campaña a quien conozca una dirección secreta.',
    'Public numbers': 'Cifras públicas',
    'Use the API with tokens that have scopes and an expiry date.':
      'Usar la API con tokens que tienen permisos y fecha de caducidad.',
    'API keys': 'Claves de API',
    Webhooks: 'Webhooks',
    'Tell other programs of every change, signed and in order, until they have taken it.':
      'Avisar a otros programas de cada cambio, con firma y en orden, hasta que lo hayan recibido.',
    'Look for messages to send': 'Buscar mensajes por enviar',
    'Tell of the visits of the hour': 'Avisar de las visitas de la hora',
    'Delete old messages': 'Eliminar los mensajes antiguos',
    'As https://example.com/linnet.': 'Como https://example.com/linnet.',
    'What it is for.': 'Para qué sirve.',
    Events: 'Eventos',
    'One in each line: * for every change, link.* for those of links, or link.created; visits.counted for the visits of each hour.':
      'Uno por línea: * para cada cambio, link.* para los de enlaces, o link.created; visits.counted para las visitas de cada hora.',
    Working: 'Funciona',
    Failing: 'Falla',
    Waiting: 'En espera',
    Delivered: 'Entregado',
    Failed: 'Fallido',
    Missed: 'Perdido',
    'Other programs that are told of every change.':
      'Otros programas que se enteran de cada cambio.',
    'Your webhooks': 'Tus webhooks',
    Address: 'Dirección',
    State: 'Estado',
    Problem: 'Problema',
    'Save webhook': 'Guardar webhook',
    Test: 'Probar',
    Status: 'Código',
    Answer: 'Respuesta',
    'New secret': 'Secreto nuevo',
    'Messages are signed with both secrets for a day, and then with the new one.':
      'Los mensajes se firman con los dos secretos durante un día, y después con el nuevo.',
    Delete: 'Eliminar',
    'Nothing more is sent to it, and its messages are deleted.':
      'No se le envía nada más, y sus mensajes se eliminan.',
    'New webhook': 'Webhook nuevo',
    'Hears of': 'Se entera de',
    'Only admins may choose the whole instance.':
      'Solo los administradores pueden elegir toda la instancia.',
    'Your account': 'Tu cuenta',
    'The whole instance': 'Toda la instancia',
    'Create webhook': 'Crear webhook',
    Messages: 'Mensajes',
    'They are kept for seven days.': 'Se guardan siete días.',
    'Send again': 'Enviar de nuevo',
    'It is sent again.': 'Se envía de nuevo.',
    Developer: 'Desarrollo',
    'Manage everything in a browser.': 'Gestionarlo todo en un navegador.',
    Web: 'Web',
    Dashboard: 'Panel',
    'Block lists': 'Listas de bloqueo',
    'Paths of files or folders. Files can be hosts files, or have one domain, one ||domain^ or one URL per line.':
      'Rutas de archivos o carpetas. Un archivo puede ser de tipo hosts, o tener un dominio, un ||domain^ o una URL por línea.',
    'Block look-alike domain names and public IP addresses':
      'Bloquear nombres de dominio engañosos y direcciones IP públicas',
    'API key of Google Safe Browsing': 'Clave de API de Google Safe Browsing',
    'URL of another service to use instead of Google Safe Browsing':
      'URL de otro servicio en lugar de Google Safe Browsing',
    'New links while Safe Browsing does not answer':
      'Enlaces nuevos mientras Safe Browsing no responde',
    'Domains per account': 'Dominios por cuenta',
    'Logo in QR codes': 'Logotipo en los códigos QR',
    'Path of a PNG file on the server, at most 64 KiB and 256 pixels per side, ideally square.':
      'Ruta de un archivo PNG en el servidor, de 64 KiB y 256 píxeles por lado como máximo, mejor cuadrado.',
    'Location data updates': 'Actualización de datos de ubicación',
    'Download newer location data each month.':
      'Descargar cada mes datos de ubicación más recientes.',
    'Include cities': 'Incluir ciudades',
    'Downloads about 60 MB per month and takes 130 MB of disk space.':
      'Descarga unos 60 MB al mes y ocupa 130 MB de disco.',
    'Account ID and licence key of MaxMind, such as 123456:key. Leave empty to use DB-IP.':
      'ID de cuenta y clave de licencia de MaxMind, como 123456:key. Vacío: se usa DB-IP.',
    'Another URL to download from. {kind} stands for country or city, {month} for a month such as 2026-11.':
      'Otra URL de descarga. {kind} equivale a country o city, {month} a un mes como 2026-11.',
    'Download newer location data': 'Descargar datos de ubicación más recientes',
    Annotations: 'Anotaciones',
    'Note what happened on a day, and show it in the chart of visits over time.':
      'Anotar qué pasó un día y mostrarlo en el gráfico de visitas.',
    Desktop: 'Ordenador',
    Mobile: 'Móvil',
    Tablet: 'Tableta',
    Other: 'Otro',
    None: 'Ninguno',
    'No rule': 'Ninguna regla',
    'Direct / unknown': 'Directo / desconocido',
    Metrics: 'Métricas',
    'Answer programs that were written for the API of YOURLS.':
      'Responder a programas escritos para la API de YOURLS.',
    'YOURLS clients': 'Clientes de YOURLS',
    Name: 'Nombre',
    Created: 'Creada',
    Show: 'Mostrar',
    Signature: 'Firma',
    Revoke: 'Revocar',
    'A URL that has a link already': 'Una URL que ya tiene un enlace',
    'Say that it failed, as YOURLS does': 'Responder que falló, como YOURLS',
    'Say that it succeeded': 'Responder que salió bien',
    'YOURLS says that it failed, with the link that there is. Programs such as n8n stop then.':
      'YOURLS responde que falló, con el enlace que existe. Programas como n8n se detienen entonces.',
    'Signatures by MD5': 'Firmas con MD5',
    'For older programs, such as Better YOURLS. A signature is valid for 12 hours.':
      'Para programas antiguos, como Better YOURLS. Una firma vale 12 horas.',
    'Signatures for clients of YOURLS': 'Firmas para clientes de YOURLS',
    'A signature is an API token that can be shown again, and with which programs can sign the time. Any other API token works as a signature, too.':
      'Una firma es un token de API que se puede volver a mostrar, y con el que los programas pueden firmar la hora. Cualquier otro token de API también sirve de firma.',
    'Programs that have it can do nothing any more.':
      'Los programas que la tienen ya no pueden hacer nada.',
    'Make a signature': 'Crear una firma',
    'Answer programs that were written for the API of Shlink.':
      'Responder a programas escritos para la API de Shlink.',
    'Shlink clients': 'Clientes de Shlink',
    'Answer programs that were written for the API of Kutt.':
      'Responder a programas escritos para la API de Kutt.',
    'Kutt clients': 'Clientes de Kutt',
    'Show metrics of the instance to Prometheus.': 'Mostrar a Prometheus métricas de la instancia.',
    'Delete links for good': 'Eliminar enlaces definitivamente',
    'Clean up the counts': 'Ordenar los recuentos',
    'Delete ended sessions': 'Eliminar sesiones terminadas',
    'Finish the deletion of accounts': 'Terminar la eliminación de cuentas',
    'Delete old idempotency keys': 'Eliminar claves de idempotencia antiguas',
    'Drop events that nobody takes': 'Descartar los eventos que nadie acepta',
    'Back up the database': 'Copiar la base de datos',
    'Update the block lists': 'Actualizar las listas de bloqueo',
    'Scan all addresses again': 'Volver a analizar todas las direcciones',
    'Delete expired tokens': 'Eliminar tokens caducados',
    'Is required.': 'Es obligatorio.',
    'Is not valid.': 'No es válido.',
    'Does not have the right format.': 'No tiene el formato correcto.',
    'Does not have the right format: 1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.':
      'No tiene el formato correcto: de 1 a 64 letras, cifras, guiones y guiones bajos. Importan mayúsculas y minúsculas.',
    'Must have at least 1 character.': 'Debe tener al menos 1 carácter.',
    'Must have at least {} characters.': 'Debe tener al menos {} caracteres.',
    'Must have at most {} characters.': 'Debe tener {} caracteres como máximo.',
    'Choose at least one.': 'Elige al menos un elemento.',
    'Must have at most {} items.': 'Debe tener {} elementos como máximo.',
    'Must be at least {}.': 'Debe ser al menos {}.',
    'Must be at most {}.': 'Debe ser {} como máximo.',
    'Must be more than {}.': 'Debe ser más de {}.',
    'Must be less than {}.': 'Debe ser menos de {}.',
    'Must be one of: {}.': 'Debe ser uno de estos: {}.',
    'Must be a text.': 'Debe ser un texto.',
    'Must be a number.': 'Debe ser un número.',
    'Must be a whole number.': 'Debe ser un número entero.',
    'Must be a list.': 'Debe ser una lista.',
    'Must be an object.': 'Debe ser un objeto.',
    'Must be a URL.': 'Debe ser una URL.',
    'Must be an e-mail address.': 'Debe ser una dirección de correo.',
    'Must be a colour such as {}.': 'Debe ser un color, como {}.',
    'Must be a colour, such as {}.': 'Debe ser un color, como {}.',
    'Must be a date and time in ISO 8601, such as 2030-01-31T09:30:00Z.':
      'Debe ser una fecha y una hora.',
    'Must be a date in ISO 8601, such as 2030-01-31.': 'Debe ser una fecha.',
    'Must be after starts_at.': 'Debe ser posterior al inicio.',
    'Must be the host of one of your verified domains.':
      'Debe ser uno de tus dominios verificados.',
    'Must be the host of one of your verified domains, or one that is shared with your plan.':
      'Debe ser uno de tus dominios verificados o uno compartido con tu plan.',
    'This domain is the instance’s.': 'Este dominio es de la instancia.',
    'An account has this domain, or links on it. It has to delete the domain first.':
      'Una cuenta tiene este dominio o enlaces en él. Primero tiene que eliminarlo.',
    'There is no plan {}. There are: {}.': 'No hay ningún plan {}. Hay: {}.',
    'Links on this domain: {}. Accounts that they belong to: {}. They have to be moved or deleted first.':
      'Enlaces en este dominio: {}. Cuentas a las que pertenecen: {}. Primero hay que moverlos o eliminarlos.',
    'Must be a host only, such as links.example.org, without scheme, port or path, and not an IP address.':
      'Debe ser solo un nombre de dominio, como links.example.org, sin https://, puerto ni ruta, y no una dirección IP.',
    'Must not have control characters, invisible spaces or marks that change the direction of the text.':
      'No debe contener caracteres de control, espacios invisibles ni marcas de dirección del texto.',
    'This field does not exist.': 'Este campo no existe.',
    'Enter a full URL, such as https://example.com/page.':
      'Escribe una URL completa, como https://example.com/page.',
    'The URL is longer than {} characters.': 'La URL tiene más de {} caracteres.',
    'The URL has a host name longer than {} characters.':
      'El nombre de host de la URL tiene más de {} caracteres.',
    'The URL has a host name with a part longer than {} characters.':
      'Una parte del nombre de host de la URL tiene más de {} caracteres.',
    'The URL contains a space or a control character: escape it.':
      'La URL contiene un espacio o un carácter de control: hay que escaparlo.',
    'The URL contains a space or a control character: leave it out.':
      'La URL contiene un espacio o un carácter de control: hay que quitarlo.',
    'The URL must begin with http:// or https://.': 'La URL debe empezar por http:// o https://.',
    'The URL must begin with http://, https:// or {}.':
      'La URL debe empezar por http://, https:// o {}.',
    'The URL must begin with http://, https://, {} or {}.':
      'La URL debe empezar por http://, https://, {} o {}.',
    'The URL must begin with http:// or https://, and never with {}.':
      'La URL debe empezar por http:// o https://, y nunca por {}.',
    'The URL has nothing after its colon.': 'La URL no tiene nada después de los dos puntos.',
    'Paths after the code are for http and https URLs.':
      'Las rutas tras el código son para URL http y https.',
    'The link takes paths after its code, which are for http and https URLs. Empty them, or enter such a URL.':
      'El enlace admite rutas tras su código, que son para URL http y https. Vacíalas, o escribe una URL así.',
    'The URL must not contain a user name or a password.':
      'La URL no debe contener usuario ni contraseña.',
    'The URL leads back to this link shortener.': 'La URL vuelve a este acortador de enlaces.',
    'Enter an e-mail address, such as ada@example.org.':
      'Escribe una dirección de correo, como ada@example.org.',
    'Enter a password of at least {} characters.':
      'Escribe una contraseña de al menos {} caracteres.',
    'Enter a password of at most {} characters.':
      'Escribe una contraseña de {} caracteres como máximo.',
    'Choose a password that is not made of the e-mail address, the name or Linnet.':
      'Elige una contraseña que no esté hecha de la dirección de correo, del nombre ni de Linnet.',
    'This password is too common. Choose another, such as four random words.':
      'Esta contraseña es demasiado común. Elige otra, como cuatro palabras al azar.',
    'Enter at least one value.': 'Escribe al menos un valor.',
    'Enter a moment in the future.': 'Escribe un momento futuro.',
    'Enter a currency of ISO 4217, such as EUR.': 'Escribe una moneda ISO 4217, como EUR.',
    'The link must end after it opens.': 'El enlace debe terminar después de abrirse.',
    'Choose for each host which short codes it has, and whether case and hyphens matter in them.':
      'Elegir para cada host qué códigos cortos tiene, y si en ellos cuentan las mayúsculas y los guiones.',
    'Code rules': 'Reglas de los códigos cortos',
    Host: 'Host',
    Characters: 'Caracteres',
    'Letters, digits, - and _': 'Letras, cifras, - y _',
    'Any path, Unicode and emojis too': 'Cualquier ruta, también Unicode y emojis',
    'Upper and lower case': 'Mayúsculas y minúsculas',
    'As written': 'Como están escritas',
    'Any case': 'Da igual',
    Hyphens: 'Guiones',
    'They matter': 'Cuentan',
    'They make no difference': 'No cuentan',
    'Empty: the host of this instance, which admins may change.':
      'Vacío: el host de esta instancia, que los administradores pueden cambiar.',
    'Short codes of a host': 'Códigos cortos de un host',
    'Which short codes a host has. Links that exist keep theirs.':
      'Qué códigos cortos tiene un host. Los enlaces que existen conservan el suyo.',
    'Change the rules': 'Cambiar las reglas',
    'Codes that nobody chose': 'Códigos que nadie eligió',
    'None has letters or digits that look alike, such as 0 and O, or 1, l and I.':
      'Ninguno tiene letras ni cifras que se parezcan, como 0 y O, o 1, l e I.',
    '7 small and capital letters and digits': '7 minúsculas, mayúsculas y cifras',
    '8 small letters and digits': '8 minúsculas y cifras',
    'Words, as brave-otter': 'Palabras, como brave-otter',
    'A short code cannot contain {}.': 'Un código corto no puede contener {}.',
    'A short code has at most {} bytes; a letter beyond ASCII has 2 to 4.':
      'Un código corto tiene como máximo {} bytes; un carácter fuera de ASCII tiene de 2 a 4.',
    'A short code has no slash at its beginning or its end, and no two in a row.':
      'Un código corto no tiene barra al principio ni al final, ni dos seguidas.',
    'A short code has at most {} parts between slashes.':
      'Un código corto tiene como máximo {} partes entre barras.',
    'No part of a short code can be . or .., because browsers take these out.':
      'Ninguna parte de un código corto puede ser . o .., porque los navegadores las quitan.',
    'A short code cannot end with {}, which shows a page about a link.':
      'Un código corto no puede acabar en {}, que muestra una página sobre un enlace.',
    'Codes of different links would be the same: {}. Change or delete one of each first.':
      'Códigos de enlaces distintos serían iguales: {}. Cambia o elimina antes uno de cada.',
    'Links have codes that only the wide grammar has: {}. Change or delete them first.':
      'Hay enlaces con códigos que solo existen con cualquier ruta: {}. Cámbialos o elimínalos antes.',
    'The short code {} is taken.': 'El código corto {} ya está en uso.',
    'The short code {} is taken on {}. Codes stay with the account that had them, also when a host passes to another.':
      'El código corto {} ya está en uso en {}. Los códigos siguen siendo de la cuenta que los tenía, también cuando un host pasa a otra.',
    'The short code {} is reserved.': 'El código corto {} está reservado.',
    'You already have a tag with this name.': 'Ya tienes una etiqueta con este nombre.',
    'You already have a campaign with this name.': 'Ya tienes una campaña con este nombre.',
    'You already have a saved search with this name.': 'Ya tienes una búsqueda con este nombre.',
    'You already have this domain.': 'Ya tienes este dominio.',
    'This is the host of this instance: every account can use it.':
      'Es el host de esta instancia: todas las cuentas pueden usarlo.',
    'Creating links is switched off on this instance.':
      'La creación de enlaces está desactivada en esta instancia.',
    'Your plan allows {} new links per month, and you have created {}. The count starts again on the first day of next month (UTC).':
      'Tu plan permite {} enlaces nuevos al mes, y has creado {}. El recuento vuelve a empezar el día 1 del mes próximo (UTC).',
    'Too many attempts. Wait {}.': 'Demasiados intentos. Espera: {}.',
    '{} has {}, and its write-ahead log {}.': '{} ocupa {}, y su registro WAL {}.',
    'It is damaged: {}.': 'Está dañada: {}.',
    'It is not damaged.': 'No está dañada.',
    'The database is damaged.': 'La base de datos está dañada.',
    'Linnet reads all of it again by itself, in case only the disk failed for a moment.':
      'Linnet vuelve a leerla entera por sí mismo, por si solo el disco falló un momento.',
    'If this stays, stop Linnet and restore a backup: linnet restore <backup>':
      'Si este aviso sigue ahí, detener Linnet y restaurar una copia: linnet restore <backup>',
    'Stop Linnet and restore a backup: linnet restore <backup>':
      'Detener Linnet y restaurar una copia: linnet restore <backup>',
    'Find the program that keeps the database open, such as a backup tool, and end it, or restart Linnet.':
      'Buscar el programa que mantiene abierta la base de datos, como una herramienta de copias, y cerrarlo, o reiniciar Linnet.',
    'The newest of {} backups is from {}.': 'La más reciente de {} copias es de {}.',
    'There is no backup yet.': 'Todavía no hay ninguna copia.',
    'Nightly backups are off: set LINNET_BACKUPS_KEPT, or back up the database in another way.':
      'Las copias nocturnas están desactivadas: definir LINNET_BACKUPS_KEPT o copiar la base de datos de otra forma.',
    'The folder {} cannot be used: {}.': 'La carpeta {} no se puede usar: {}.',
    'Make it a folder that the user who runs Linnet can read and write: no backup can be made before.':
      'Convertirla en una carpeta que el usuario con el que funciona Linnet pueda leer y escribir: antes no se puede hacer ninguna copia.',
    'Check under Admin → Jobs why the nightly backup fails, or run: linnet backup':
      'Mirar en Admin → Tareas por qué falla la copia nocturna, o ejecutar: linnet backup',
    '{} are free on the disk of {}.': '{} están libres en el disco de {}.',
    'Free up space: when the disk is full, links keep working but nothing is saved.':
      'Liberar espacio: con el disco lleno los enlaces siguen funcionando, pero no se guarda nada.',
    'Free up space: a backup of the database takes {}.':
      'Liberar espacio: una copia de la base de datos ocupa {}.',
    '{} belongs to uid {} and has mode {}.': '{} pertenece al uid {} y tiene el modo {}.',
    'Other users of this machine can read it.': 'Otros usuarios de esta máquina pueden leerla.',
    'Run: chmod o= {}.': 'Ejecutar: chmod o= {}.',
    'Keep nothing else in it.': 'No guardar nada más en ella.',
    'The clock of this machine says {}.': 'El reloj de esta máquina marca {}.',
    'But the database was last written after that, at {}.':
      'Pero la base de datos se escribió después, el {}.',
    'Set the clock, and keep it correct with systemd-timesyncd or chrony.':
      'Poner el reloj en hora y mantenerlo así con systemd-timesyncd o chrony.',
    '{} of visitors are unknown: no location data is installed for them.':
      '{} de los visitantes: se desconocen, porque no hay datos de ubicación instalados.',
    '{} of visitors come from data of {}, {} days ago.':
      '{} de los visitantes: según datos del {}, de hace {} días.',
    '{} of visitors {}; the log says why.': '{} de los visitantes: {}; el registro dice por qué.',
    '{} of visitors {}: {} cannot be read: {}.':
      '{} de los visitantes: {}; {} no se puede leer: {}.',
    Countries: 'Países',
    Cities: 'Ciudades',
    'are unknown': 'se desconocen',
    'come from old data, because the file is missing or damaged now':
      'según datos antiguos, porque el archivo falta o está dañado',
    'Put an MMDB file there, or set LINNET_GEOIP_FILE to one and start again.':
      'Poner ahí un archivo MMDB, o indicar uno con LINNET_GEOIP_FILE y reiniciar.',
    'Update the location data: see “Countries and cities” in docs/configuration.md.':
      'Actualizar los datos de ubicación: ver «Countries and cities» en docs/configuration.md.',
    'No running plugin needs the location of visitors.':
      'Ningún plugin activo necesita la ubicación de los visitantes.',
    'This request came from {}, with X-Forwarded-For: {}.':
      'Esta petición vino de {}, con X-Forwarded-For: {}.',
    'That header is not trusted, so all visitors seem to come from {}.':
      'No se confía en esa cabecera, así que todos los visitantes parecen venir de {}.',
    'It names fewer addresses than LINNET_TRUSTED_PROXIES, which is {}, so visitors can fake their IP address.':
      'Nombra menos direcciones que LINNET_TRUSTED_PROXIES, que es {}, así que los visitantes pueden falsificar su dirección IP.',
    'Set LINNET_TRUSTED_PROXIES to the number of proxies that each request passes, or better to their networks.':
      'Definir LINNET_TRUSTED_PROXIES con el número de proxies por los que pasa cada petición, o mejor con sus redes.',
    'If {} is your proxy, set LINNET_TRUSTED_PROXIES={}, or its network.':
      'Si {} es tu proxy, definir LINNET_TRUSTED_PROXIES={}, o su red.',
    'But LINNET_TRUSTED_PROXIES says that there is a proxy.':
      'Pero LINNET_TRUSTED_PROXIES dice que hay un proxy.',
    'Let the proxy send X-Forwarded-For.': 'Hacer que el proxy envíe X-Forwarded-For.',
    'If this request bypassed the proxy, send it through the proxy.':
      'Si esta petición no pasó por el proxy, enviarla a través de él.',
    'It was for the host {}, but short URLs begin with {}.':
      'Era para el host {}, pero las URL cortas empiezan por {}.',
    'Set LINNET_BASE_URL to the address that visitors use, or let the proxy pass on the Host header unchanged.':
      'Poner en LINNET_BASE_URL la dirección que usan los visitantes, o hacer que el proxy pase la cabecera Host sin cambios.',
    'Linnet takes it as a request from {}, for {}.':
      'Linnet la toma por una petición de {} para {}.',
    'Linnet takes it as a request from {}, since LINNET_TRUSTED_PROXIES names no proxy before that.':
      'Linnet la toma por una petición de {}, porque LINNET_TRUSTED_PROXIES no nombra ningún proxy anterior.',
    'If {} is a proxy of yours too, let LINNET_TRUSTED_PROXIES count or name it, or all its visitors count as one.':
      'Si {} también es un proxy tuyo, contarlo o nombrarlo en LINNET_TRUSTED_PROXIES, o todos sus visitantes contarán como uno.',
    'But short URLs begin with {}, so a proxy must be in front, and all its visitors seem to come from {}.':
      'Pero las URL cortas empiezan por {}, así que hay un proxy delante, y todos sus visitantes parecen venir de {}.',
    'Let the proxy send X-Forwarded-For, and set LINNET_TRUSTED_PROXIES to its network.':
      'Hacer que el proxy envíe X-Forwarded-For, y poner en LINNET_TRUSTED_PROXIES su red.',
    'PostgreSQL {} has {} of Linnet.': 'PostgreSQL {} tiene {} de Linnet.',
    'fsync is off: a power cut can destroy the database.':
      'fsync está desactivado: un corte de luz puede destruir la base de datos.',
    'Set fsync = on in postgresql.conf and reload the server.':
      'Poner fsync = on en postgresql.conf y recargar el servidor.',
    'No server runs on this database at present.':
      'Ahora mismo ningún servidor usa esta base de datos.',
    'Servers on this database: {}.': 'Servidores en esta base de datos: {}.',
    'The clock of this machine says {}, that of PostgreSQL {}.':
      'El reloj de esta máquina marca {}; el de PostgreSQL, {}.',
    'Links open and end at different times on servers whose clocks differ.':
      'Los enlaces se abren y terminan a horas distintas en servidores cuyos relojes no coinciden.',
    '{} does not run on this server, so links that it protects are closed here: {}.':
      '{} no funciona en este servidor, así que los enlaces que protege están cerrados aquí: {}.',
    'Install it on this server, or switch it on.': 'Instalarlo en este servidor, o activarlo.',
    'Update all to the same version: older versions were not tested with data of newer ones.':
      'Actualizar todos a la misma versión: las antiguas no se probaron con datos de las nuevas.',
    'PostgreSQL archived its write-ahead log last at {}, and failed at {}.':
      'PostgreSQL archivó su registro WAL por última vez el {}, y falló el {}.',
    '{}, and failed at {}.': '{}, y falló el {}.',
    'PostgreSQL has never archived its write-ahead log':
      'PostgreSQL nunca ha archivado su registro WAL',
    'PostgreSQL archived its write-ahead log last at {}, which is long ago, and Linnet cannot see whether you make dumps.':
      'PostgreSQL archivó su registro WAL por última vez el {}, hace mucho, y Linnet no puede ver si haces volcados.',
    'PostgreSQL archived its write-ahead log last at {}.':
      'PostgreSQL archivó su registro WAL por última vez el {}.',
    'That does not show when the last base backup was made: make sure that pg_basebackup makes one each week.':
      'Eso no dice cuándo se hizo la última copia base: asegurarse de que pg_basebackup haga una cada semana.',
    'PostgreSQL archives no write-ahead log, and Linnet cannot see whether you make dumps.':
      'PostgreSQL no archiva ningún registro WAL, y Linnet no puede ver si haces volcados.',
    'The log of PostgreSQL says why: correct archive_command, and make sure that its disk has space.':
      'El registro de PostgreSQL dice por qué: corregir archive_command y asegurarse de que su disco tenga espacio.',
    'Run pg_dump --format=custom each night, or set up archiving, and copy plugins/ of the data folder too.':
      'Ejecutar pg_dump --format=custom cada noche, o configurar el archivado, y copiar también plugins/ de la carpeta de datos.',
    'The database does not respond.': 'La base de datos no responde.',
    'The log says why.': 'El registro dice por qué.',
    'Links work, but nothing can be written: {}.':
      'Los enlaces funcionan, pero no se puede escribir nada: {}.',
    'The write-ahead log was damaged or missing at the start.':
      'El registro WAL estaba dañado o faltaba al arrancar.',
    'The last changes before it may be lost.':
      'Puede que se hayan perdido los últimos cambios anteriores.',
    'Visits cannot be written: {}.': 'No se pueden escribir visitas: {}.',
    '{} are waiting.': '{} esperan.',
    'Events wait for {}, which failed of the next one: {}.':
      'Hay eventos que esperan a {}, que falló con el siguiente: {}.',
    'Failures in a row: {}.': 'Fallos seguidos: {}.',
    'Events for {} were dropped, because more than {} waited: {}.':
      'Se descartaron eventos para {}, porque esperaban más de {}: {}.',
    '{} does not run: {}.': '{} no funciona: {}.',
    '{} runs as before its last change: {}.': '{} funciona como antes de su último cambio: {}.',
    'A newer version of {}, of another server or installed here before, has changed its tables: install that version.':
      'Una versión más reciente de {}, de otro servidor o instalada aquí antes, ha cambiado sus tablas: instalar esa versión.',
    'The settings, in settings.json of the data folder or in the database, are invalid and not in effect.':
      'Los ajustes, en settings.json de la carpeta de datos o en la base de datos, no son válidos y no se aplican.',
    'Correct them; the log says what is wrong.': 'Corregirlos; el registro dice qué está mal.',
    '{} has been running for {} minutes.': '{} lleva {} minutos en marcha.',
    'The last run of {} failed.': 'La última ejecución de {} falló.',
    'All environment variables are valid.': 'Todas las variables de entorno son válidas.',
    'Tell accounts by mail what happens to their links, limits, webhooks and imports.':
      'Contar a las cuentas por correo qué pasa con sus enlaces, límites, webhooks e importaciones.',
    Notices: 'Avisos',
    'What you are told by mail. Much of the same comes as one mail.':
      'Lo que se te cuenta por correo. Lo que se parece llega en un solo correo.',
    'No plugin of this instance sends mail': 'Ningún plugin de esta instancia envía correo',
    'Your address is not taken': 'Tu dirección no se acepta',
    'A limit of the plan is nearly reached, or reached':
      'Un límite del plan casi se alcanza, o se alcanzó',
    'Links end soon': 'Hay enlaces que terminan pronto',
    'Links are blocked': 'Hay enlaces bloqueados',
    'Addresses of links do not answer': 'Hay direcciones de enlaces que no responden',
    'Webhooks are switched off': 'Hay webhooks desactivados',
    'Imports have ended': 'Hay importaciones terminadas',
    'Numbers of the week, on Monday': 'Los números de la semana, el lunes',
    'What other plugins say': 'Lo que dicen otros plugins',
    'Such as Europe/Berlin. Mails go by day.': 'Como Europe/Madrid. Los correos salen de día.',
    'Send a test': 'Enviar una prueba',
    'Language of mails': 'Idioma de los correos',
    'Each account can choose another one.': 'Cada cuenta puede elegir otro.',
    'Mails go by day. Each account can choose another one. Such as Europe/Berlin.':
      'Los correos salen de día. Cada cuenta puede elegir otra. Como Europe/Madrid.',
    'Tell of links that end soon': 'Avisar de enlaces que terminan pronto',
    'Send notices': 'Enviar avisos',
    'Look for limits that are reached': 'Buscar límites alcanzados',
    'Look for whom the week is over': 'Buscar para quién terminó la semana',
    'Forget old notices': 'Olvidar avisos antiguos',
    'Save notices': 'Guardar avisos',
    Sent: 'Enviado',
    'Let visitors make accounts, with a link in a mail, within limits that you set.':
      'Dejar que los visitantes creen cuentas, con un enlace en un correo, dentro de los límites que fijes.',
    'Sign-ups': 'Registros',
    'Accounts that visitors made for themselves.':
      'Cuentas que los visitantes crearon por sí mismos.',
    Now: 'Ahora',
    Open: 'Abierto',
    'Not confirmed yet': 'Sin confirmar todavía',
    'At most': 'Como máximo',
    'Who signed up': 'Quién se registró',
    'Signed up': 'Registrado',
    'E-mail address': 'Dirección de correo',
    'Of e-mail addresses, one in each line, such as example.org. If empty, all.':
      'De direcciones de correo, uno en cada línea, como example.org. Si está vacío, todos.',
    'Slug of the plan that new accounts get, such as free. If empty, the usual one.':
      'Identificador del plan de las cuentas nuevas, como free. Si está vacío, el habitual.',
    'Most accounts': 'Máximo de cuentas',
    'So many accounts may come by sign-ups. Deleted ones do not count.':
      'Tantas cuentas pueden venir de registros. Las eliminadas no cuentan.',
    'Most mails in an hour': 'Máximo de correos por hora',
    'For all visitors together; each client gets at most five.':
      'Para todos los visitantes juntos; cada cliente recibe cinco como máximo.',
    'Send mails for sign-ups': 'Enviar correos de registros',
    'Forget sign-ups that nobody confirmed': 'Olvidar registros sin confirmar',
    Closed: 'Cerrado',
    Plan: 'Plan',
    'Let assistants that speak the Model Context Protocol work with links, with the scopes of a token.':
      'Permitir que asistentes que hablan el Model Context Protocol trabajen con enlaces, con los permisos de un token.',
    MCP: 'MCP',
    'Second factor': 'Segundo factor',
    'Who must have a second factor': 'Quién debe tener un segundo factor',
    'Who has none sets it up at the next sign-in with a password. Providers ask in their own way.':
      'Quien no lo tiene lo configura en el próximo inicio de sesión con contraseña. Los proveedores preguntan a su manera.',
    Nobody: 'Nadie',
    Admins: 'Administradores',
    Everybody: 'Todos',
    On: 'Activado',
    Off: 'Desactivado',
    'Recovery codes left': 'Códigos de recuperación restantes',
    'Code that the app shows': 'Código que muestra la aplicación',
    'Switch on': 'Activar',
    'Recovery codes': 'Códigos de recuperación',
    'New recovery codes': 'Nuevos códigos de recuperación',
    'Those that you have will no longer work.': 'Los que tienes dejarán de funcionar.',
    'Switch off': 'Desactivar',
    'The password alone will be enough to sign in.': 'Bastará la contraseña para iniciar sesión.',
    'Picture to scan': 'Imagen para escanear',
    Secret: 'Secreto',
    'Address for apps': 'Dirección para aplicaciones',
    'Authenticator app': 'Aplicación de autenticación',
    'Audit log': 'Registro de cambios',
    'Keep who changed what, and bring back what links were before.':
      'Guardar quién cambió qué, y recuperar lo que los enlaces eran antes.',
    'Days to keep': 'Días de conservación',
    'IP addresses': 'Direcciones IP',
    'From where a change came, with each entry. This is personal data: a network, such as 203.0.113.0/24, says less.':
      'Desde dónde vino un cambio, en cada entrada. Son datos personales: una red, como 203.0.113.0/24, dice menos.',
    'Are not kept': 'No se guardan',
    'Only their networks': 'Solo sus redes',
    'Are kept': 'Se guardan',
    IP: 'IP',
    'Older entries are deleted every night.': 'Las entradas más antiguas se borran cada noche.',
    'Delete old entries of the audit log': 'Borrar entradas antiguas del registro de cambios',
    'Check the audit log': 'Comprobar el registro de cambios',
    'Who changed what, and when.': 'Quién cambió qué, y cuándo.',
    Changes: 'Cambios',
    Who: 'Quién',
    What: 'Qué',
    Kind: 'Tipo',
    Domains: 'Dominios',
    'API tokens': 'Tokens de API',
    'Sign-ins': 'Inicios de sesión',
    'Second steps': 'Segundos pasos',
    'Accounts at providers': 'Cuentas de proveedores',
    'Lost events': 'Eventos perdidos',
    Settings: 'Ajustes',
    Plugins: 'Complementos',
    Download: 'Descargar',
    History: 'Historial',
    'Who changed this link. What a change replaced can come back.':
      'Quién cambió este enlace. Lo que un cambio sustituyó puede volver.',
    Undo: 'Deshacer',
    'The link gets back what this change replaced.':
      'El enlace recupera lo que este cambio sustituyó.',
    'Sign in with a passkey alone, or with the password and a code of an app or a passkey, for who wants it, or must.':
      'Iniciar sesión solo con una llave de acceso, o con la contraseña y un código de una aplicación o una llave de acceso, para quien lo quiera o deba.',
    'An authenticator app or a passkey, asked for when you sign in.':
      'Una aplicación de autenticación o una llave de acceso, que se pide al iniciar sesión.',
    Passkeys: 'Llaves de acceso',
    'Set up an app': 'Configurar una aplicación',
    'Add a passkey': 'Añadir una llave de acceso',
    'Your passkeys': 'Tus llaves de acceso',
    'Where one was lost or sold, delete it here.': 'Si has perdido o vendido una, quítala aquí.',
    'Last used': 'Último uso',
    'Where the passkey is.': 'Dónde está la llave de acceso.',
    'Signs you in': 'Te identifica',
    'Without the password': 'Sin la contraseña',
    'After the password': 'Después de la contraseña',
    'Signs me in without the password': 'Me identifica sin la contraseña',
    'The device asks for a finger, a face or a PIN.':
      'El dispositivo pide un dedo, una cara o un PIN.',
    'a passkey': 'llave de acceso',
    Save: 'Guardar',
    'Nobody signs in with this passkey any more. Without another one and without an app, the password alone will be enough.':
      'Nadie iniciará sesión con esta llave de acceso. Sin otra y sin aplicación bastará la contraseña.',
    Passkey: 'Llave de acceso',
    'Passkeys that were made at {} do not work at {}: {}.':
      'Las llaves de acceso creadas en {} no funcionan en {}: {}.',
    'Their owners sign in by their app or a recovery code, and add a passkey anew.':
      'Sus dueños inician sesión con su aplicación o un código de recuperación y añaden una llave de acceso nueva.',
    'Or give the dashboard its former address again.': 'O devolver al panel su dirección anterior.',
    'This plugin could not say whether something is wrong.':
      'Esta extensión no pudo decir si algo va mal.',
    'See the log of the server; docs/logs.md explains its messages.':
      'Ver el registro del servidor; docs/logs.md explica sus mensajes.',
    When: 'Cuándo',
    Event: 'Evento',
    'Reads the export of another Linnet: JSON lines of GET /export or of linnet export.':
      'Lee la exportación de otro Linnet: líneas JSON de GET /export o de linnet export.',
    'Reads a running Shlink over its REST API, a dump of its database, its SQLite file, or a CSV file of its web client.':
      'Lee un Shlink en marcha por su API REST, un volcado de su base de datos, su archivo SQLite o un archivo CSV de su cliente web.',
    'Address of Shlink': 'Dirección de Shlink',
    'Only without a file, such as https://s.test.': 'Solo sin archivo, como https://s.test.',
    'API key': 'Clave de API',
    'Only without a file: from shlink api-key:generate, without roles.':
      'Solo sin archivo: la de shlink api-key:generate, sin roles.',
    'Time zone': 'Zona horaria',
    'In which a database or a CSV file has its dates: the TIMEZONE of Shlink.':
      'En la que están las fechas de una base de datos o un archivo CSV: la TIMEZONE de Shlink.',
    'Reads a dump of the database of Kutt, or its SQLite file, with all visits and passwords, or its API, which has less of both.':
      'Lee un volcado de la base de datos de Kutt o su archivo SQLite, con todas las visitas y contraseñas, o su API, que tiene menos de ambas.',
    'Address of Kutt': 'Dirección de Kutt',
    'Only without a file, such as https://kutt.test.': 'Solo sin archivo, como https://kutt.test.',
    'Only without a file: from the settings of Kutt.':
      'Solo sin archivo: la de los ajustes de Kutt.',
    'Links of all users': 'Enlaces de todos los usuarios',
    'Over the API, with the key of an admin. Files always have those of all users.':
      'Por la API, con la clave de un administrador. Los archivos siempre tienen los de todos.',
    'In which a dump of MySQL or MariaDB has its dates: that of the database.':
      'En la que están las fechas de un volcado de MySQL o MariaDB: la de la base de datos.',
    'Reads a dump of the database of YOURLS with all visits, the CSV file of its plugin Import Export, or its API, which has links with sums of visits.':
      'Lee un volcado de la base de datos de YOURLS con todas las visitas, el archivo CSV de su extensión Import Export, o su API, que tiene enlaces con sumas de visitas.',
    'Address of YOURLS': 'Dirección de YOURLS',
    'Only without a file, such as https://sho.rt.': 'Solo sin archivo, como https://sho.rt.',
    'Only without a file: the secret signature token on the page Tools of YOURLS.':
      'Solo sin archivo: el token de firma secreto de la página Tools de YOURLS.',
    'Prefix of its tables': 'Prefijo de sus tablas',
    'Only if a dump has the tables of several, such as yourls_.':
      'Solo si un volcado tiene las tablas de varios, como yourls_.',
    'In which YOURLS wrote dates: UTC, whatever it shows, unless a plugin changed it.':
      'En la que YOURLS escribió las fechas: UTC, muestre lo que muestre, salvo que un plugin lo cambiara.',
    Export: 'Exportar',
    'Take links away, with their visits, tags and campaigns. Another Linnet imports such a file.':
      'Llevarse los enlaces, con sus visitas, etiquetas y campañas. Otro Linnet importa un archivo así.',
    'One file of JSON lines. Passwords of links are not in it.':
      'Un archivo de líneas JSON. Las contraseñas de los enlaces no están en él.',
    'All accounts': 'Todas las cuentas',
    'The same of the whole instance. On the server, linnet export writes it with the hashes of passwords.':
      'Lo mismo de toda la instancia. En el servidor, linnet export lo escribe con los hashes de las contraseñas.',
    'Without Linnet': 'Sin Linnet',
    'Download for other servers': 'Descargar para otros servidores',
    'Files with which nginx, Caddy, HAProxy, a static host or a program of yours redirects as your links do. What Linnet has to ask or decide at each visit is left out, and listed.':
      'Archivos con los que nginx, Caddy, HAProxy, un alojamiento estático o un programa tuyo redirige como tus enlaces. Lo que Linnet tiene que preguntar o decidir en cada visita no está incluido y figura en una lista.',
    'Redirect with 301, as YOURLS does': 'Redirigir con 301, como YOURLS',
    'Redirect with 301, as Bitly does': 'Redirigir con 301, como Bitly',
    'Redirect with 308, as Chhoto URL does': 'Redirigir con 308, como Chhoto URL',
    'Redirect with 301, as Polr does': 'Redirigir con 301, como Polr',
    'Redirect with 301, as Rebrandly does': 'Redirigir con 301, como Rebrandly',
    'Redirect with 301, as Sink does': 'Redirigir con 301, como Sink',
    'Browsers keep that, and their later visits are not counted. Otherwise links redirect as others here do.':
      'Los navegadores lo guardan, y sus visitas posteriores no se cuentan. Si no, los enlaces redirigen como los demás de aquí.',
    'Reads a dump of the database of Polr 2, with secret links, visits and users.':
      'Lee un volcado de la base de datos de Polr 2, con enlaces secretos, visitas y usuarios.',
    'In which Polr writes its dates: UTC, unless you changed it.':
      'En la que Polr escribe sus fechas: UTC, salvo que se haya cambiado.',
    'Reads the SQLite file of Chhoto URL, or its API, with links, notes, ends and sums of visits.':
      'Lee el archivo SQLite de Chhoto URL o su API, con enlaces, notas, fechas de fin y sumas de visitas.',
    'Address of Chhoto URL': 'Dirección de Chhoto URL',
    'Only without a file, such as https://c.test.': 'Solo sin archivo, como https://c.test.',
    'Only without a file: its CHHOTO_API_KEY.': 'Solo sin archivo: su CHHOTO_API_KEY.',
    'Reads the links of all groups from the API of Bitly, with an access token, or a CSV file that Bitly exported.':
      'Lee los enlaces de todos los grupos de la API de Bitly, con un token de acceso, o un archivo CSV exportado por Bitly.',
    'An access token, from Settings, API.': 'Un token de acceso, de Settings, API.',
    API: 'API',
    'Where its API is. Change it only if yours is elsewhere.':
      'Dónde está su API. Cámbialo solo si la tuya está en otro sitio.',
    'Visits by day': 'Visitas por día',
    'One request for each link, of which Bitly takes some 1,500 an hour.':
      'Una petición por enlace; Bitly admite unas 1500 por hora.',
    'Countries and referers': 'Países y referentes',
    'Two more requests for each day on which a link was visited.':
      'Dos peticiones más por cada día en que se visitó un enlace.',
    'Reads the links of a workspace from the API of Dub, with a key of it, or a CSV file that Dub exported.':
      'Lee los enlaces de un espacio de trabajo de la API de Dub, con una clave suya, o un archivo CSV exportado por Dub.',
    'From Settings, API Keys of the workspace, for reading links, domains and tags.':
      'De Settings, API Keys del espacio de trabajo, para leer enlaces, dominios y etiquetas.',
    'Reads the links of a workspace from the API of Rebrandly, with an API key, or a CSV file that Rebrandly exported.':
      'Lee los enlaces de un espacio de trabajo de la API de Rebrandly, con una clave de API, o un archivo CSV exportado por Rebrandly.',
    'From Account, API keys.': 'De Account, API keys.',
    Workspace: 'Espacio de trabajo',
    'Its id, if it is not the main one of the key.': 'Su id, si no es el principal de la clave.',
    'Reads the domains and links of an account from the API of Short.io, with a secret key, or a CSV file that Short.io exported.':
      'Lee los dominios y enlaces de una cuenta de la API de Short.io, con una clave secreta, o un archivo CSV exportado por Short.io.',
    'A secret key, from Integrations & API.': 'Una clave secreta, de Integrations & API.',
    'Where visitors of some countries go. One request for each link.':
      'Adónde van quienes visitan desde algunos países. Una petición por enlace.',
    'Reads all links from a server of Sink, with its site token, or the JSON file that it exports or backs up.':
      'Lee todos los enlaces de un servidor de Sink, con su token de sitio, o el archivo JSON que exporta o guarda como copia.',
    Server: 'Servidor',
    'The address of your Sink, such as https://sink.example.com.':
      'La dirección de tu Sink, como https://sink.example.com.',
    'The site token with which you sign in there.':
      'El token de sitio con el que inicias sesión allí.',
    'Upper and lower case matter': 'Se distinguen mayúsculas y minúsculas',
    'Only if NUXT_CASE_SENSITIVE is true there.': 'Solo si allí NUXT_CASE_SENSITIVE es true.',
    'Reads a CSV file of a host, from the data of Firebase Dynamic Links in Google Takeout.':
      'Lee un archivo CSV de un host, de los datos de Firebase Dynamic Links en Google Takeout.',
    'CSV file': 'Archivo CSV',
    'Reads a table of links with commas, semicolons, tabs or bars, as spreadsheets and most shorteners export them.':
      'Lee una tabla de enlaces con comas, puntos y comas, tabuladores o barras, como la exportan las hojas de cálculo y la mayoría de los acortadores.',
    Columns: 'Columnas',
    'Only those whose names do not tell it: what a column has, and its name or number, such as code=Back half or originalUrl=#2.':
      'Solo aquellas cuyo nombre no lo dice: qué tiene una columna, y su nombre o número, como code=Back half u originalUrl=#2.',
    'In which dates are that do not name one, such as Europe/Berlin.':
      'En la que están las fechas que no nombran ninguna, como Europe/Berlin.',
    'To read files, a server needs 192 MiB of memory, and this one has less. Give it more, or run linnet import on its machine, outside of the container or service that has so little.':
      'Para leer archivos, un servidor necesita 192 MiB de memoria, y este tiene menos. Dale más, o ejecuta linnet import en su máquina, fuera del contenedor o servicio que tiene tan poca.',
  },
  problems: {
    malformed_request: 'La petición no es HTTP válido.',
    malformed_json: 'La petición no es JSON válido.',
    unauthenticated: 'Hace falta iniciar sesión.',
    invalid_token: 'El token de API es desconocido, ha caducado o está revocado.',
    invalid_credentials: 'La dirección de correo o la contraseña no es correcta.',
    second_step_required: 'Esta cuenta necesita un segundo paso.',
    fresh_sign_in_required: 'Para esto tienes que identificarte de nuevo.',
    domain_not_allowed: 'Con tu dirección no se puede entrar aquí. Pregunta a un administrador.',
    group_not_allowed:
      'No estás en ningún grupo que pueda entrar aquí. Pregunta a un administrador.',
    account_suspended: 'Esta cuenta está suspendida. Pregunta a quien opera este sitio.',
    link_suspended: 'Este enlace está suspendido.',
    no_account:
      'Aquí no hay ninguna cuenta para ti. Pídela a un administrador o entra con tu contraseña.',
    not_proven:
      'El otro servidor no preguntó quién eres. Cierra la sesión allí y aquí, y vuelve a entrar.',
    other_account: 'Esa cuenta no es la de esta sesión.',
    sign_in_expired:
      'El inicio de sesión tardó demasiado o empezó en otro navegador. Inténtalo de nuevo.',
    wrong_answer: 'La respuesta no es correcta.',
    invalid_ticket: 'Ha pasado demasiado tiempo. Inicia sesión de nuevo.',
    passwords_off:
      'Esta cuenta no entra aquí con contraseña. Entra por uno de los otros servidores.',
    provider_refused: 'El otro servidor no inició tu sesión.',
    sign_in_failed: 'No se pudo iniciar sesión allí. Inténtalo más tarde.',
    second_step_unavailable:
      'El segundo paso no está disponible en este momento. Inténtalo más tarde o avisa a quien administra el servidor.',
    insufficient_scope: 'Solo pueden hacerlo los admins, o al token le falta un permiso.',
    feature_not_in_plan: 'Tu plan no lo incluye.',
    feature_disabled: 'Está desactivado en esta instancia.',
    plan_limit_reached: 'Se ha alcanzado el límite de tu plan.',
    limit_reached: 'Se ha alcanzado el límite de esta instancia.',
    mail_uncertain: 'El servidor de correo no dijo si aceptó el correo.',
    mail_put_off: 'El servidor de correo acepta este correo más tarde.',
    forbidden_origin: 'Una página de otro sitio no puede hablar con el servidor MCP.',
    sign_up_closed: 'Ahora nadie puede crear una cuenta aquí.',
    sign_up_over: 'El enlace para crear una cuenta se usó o caducó.',
    mail_failed: 'No se pudo enviar el correo; el registro dice por qué.',
    mail_invalid: 'El correo no tiene una dirección, un asunto o un texto válidos.',
    mail_off: 'Ninguna extensión en marcha envía correo.',
    mail_refused: 'El servidor de correo no acepta este correo.',
    notice_invalid: 'El aviso no tiene un título, texto, nivel o destinatario válidos.',
    notices_off: 'Ninguna extensión en marcha entrega avisos, o ninguna aceptó este.',
    malformed_form: 'El formulario no se puede leer.',
    cross_site_request: 'El cambio venía de una página de otro sitio.',
    session_required: 'Hace falta una sesión; no basta un token.',
    password_required: 'Hay que crear un token nuevo, con tu contraseña.',
    invalid_code: 'No es el código de instalación del registro.',
    invalid_one_time_link:
      'Este enlace se usó, se revocó o se sustituyó, o ha caducado. Pide otro a un admin.',
    answer_needed: 'El enlace pregunta antes algo al visitante.',
    not_shown: 'El enlace tiene un número limitado de visitas: solo al abrirlo se ve adónde lleva.',
    target_not_allowed: 'El enlace lleva a una dirección que no está permitida aquí.',
    not_found: 'Esto no existe, o ya no.',
    not_started: 'El enlace aún no está abierto.',
    method_not_allowed: 'Aquí no es posible.',
    request_timeout: 'La petición tardó demasiado en llegar.',
    codes_collide: 'Habría códigos cortos iguales o perdidos.',
    external_id_taken: 'Otro enlace tiene ese identificador externo.',
    short_code_taken: 'El código corto ya está en uso.',
    name_taken: 'Este nombre ya existe.',
    key_taken: 'Otra cuenta ya tiene esta clave.',
    email_taken: 'Otra cuenta tiene esta dirección de correo.',
    host_taken: 'Otra cuenta demuestra que el dominio es suyo.',
    domain_in_use: 'Hay enlaces en el dominio. Muévelos o elimínalos antes.',
    not_verified: 'No se ha encontrado la prueba.',
    idempotency_key_reused: 'No se ha podido enviar. Inténtalo de nuevo.',
    request_in_progress: 'Aún está en curso. Inténtalo dentro de un momento.',
    outcome_unknown: 'La petición se interrumpió. Comprueba si ha tenido efecto.',
    changed_meanwhile:
      'La cuenta se cambió en el mismo momento, o se eliminó algo a lo que se refiere la petición.',
    own_account:
      'Es tu propia cuenta: cambia la contraseña en los ajustes; solo otro admin puede quitarte ese papel.',
    last_way_in:
      'Nada más inicia sesión en esta cuenta. Antes, define una contraseña o inicia sesión con otro proveedor.',
    last_admin: 'Es la única cuenta de admin. Antes, haz admin a otra cuenta.',
    file_under_way: 'Ya se está enviando otro archivo.',
    import_running: 'Una importación no ha terminado. Espera, o detenla.',
    import_ended: 'Esta importación ha terminado o no espera ningún archivo.',
    too_little_memory: 'El servidor tiene muy poca memoria para esto.',
    job_running: 'Esta tarea ya está en marcha.',
    backup_running: 'Ya hay una copia de seguridad en marcha.',
    not_supported: 'Linnet no puede copiar esta base de datos.',
    plugin_broken: 'La extensión no se puede cargar, o sus ajustes no son válidos.',
    plugin_install_off: 'Instalar extensiones aquí está desactivado.',
    plugin_index_unusable: 'No se puede leer el índice de extensiones.',
    needs_unmet: 'Una extensión que esta necesita está desactivada.',
    needed: 'Una extensión activada necesita esta.',
    fixed_by_environment: 'La variable de entorno PLUGINS decide qué extensiones están activadas.',
    webhook_off: 'El webhook está desactivado. Actívalo primero.',
    already_public: 'Estas cifras ya tienen una página pública.',
    second_factor_on: 'La cuenta ya tiene un segundo factor.',
    second_factor_off: 'La cuenta no tiene segundo factor.',
    cannot_be_undone: 'Esto no se puede deshacer.',
    audit_log_broken: 'El registro de cambios ya no es como se escribió.',
    plan_taken: 'Otro plan tiene este nombre corto.',
    plan_retired: 'El plan ya no admite cuentas.',
    plan_in_use: 'El plan aún hace falta o aún tiene cuentas.',
    backup_unusable: 'Esta copia de seguridad no se puede usar.',
    expired: 'El enlace ha caducado.',
    exhausted: 'El enlace ha alcanzado su máximo de visitas.',
    stale: 'Se ha cambiado en otro sitio mientras tanto.',
    payload_too_large: 'Es demasiado grande para enviarlo.',
    unsupported_media_type: 'El servidor no acepta este formato.',
    expectation_failed: 'El servidor no entiende esta petición.',
    misdirected: 'Este servidor no responde por este host.',
    validation_failed: 'Algunos datos no son válidos.',
    wrong_password: 'La contraseña actual es incorrecta o falta.',
    unsafe_url: 'La URL es conocida como dañina, o se parece a otra.',
    too_many_requests: 'Demasiados intentos. Espera un poco.',
    headers_too_large: 'La petición es demasiado grande.',
    blocked: 'El enlace lleva a un destino conocido como dañino.',
    internal: 'Es un fallo de Linnet, no tuyo. Puede servir intentarlo de nuevo.',
    unavailable: 'El servidor está ocupado. Inténtalo más tarde.',
  },
}
