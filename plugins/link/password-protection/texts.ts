/** What visitors read on the page that asks for a password. */

export const title = {
  en: 'This link is protected',
  de: 'Dieser Link ist geschützt',
  fr: 'Ce lien est protégé',
  es: 'Este enlace está protegido',
}

export const label = { en: 'Password', de: 'Passwort', fr: 'Mot de passe', es: 'Contraseña' }

export const wrong = {
  en: 'The password is wrong.',
  de: 'Das Passwort ist falsch.',
  fr: 'Le mot de passe est incorrect.',
  es: 'La contraseña es incorrecta.',
}
