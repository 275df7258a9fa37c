import { refuse, type VisitorText } from '../../../core/plugin.ts'

/** What people are asked after the password. */
export const enterCode: VisitorText = {
  en: 'Enter the code that your authenticator app shows, or a recovery code.',
  de: 'Gib den Code ein, den deine Authenticator-App zeigt, oder einen Wiederherstellungscode.',
  es: 'Introduce el código de tu aplicación de autenticación o un código de recuperación.',
  fr: 'Saisissez le code de votre application d’authentification, ou un code de secours.',
}

/** The same of those who have no app yet. */
export const setUp: VisitorText = {
  en: 'This server wants a second factor of you. Scan the picture with an authenticator app, and enter the code that it shows.',
  de: 'Dieser Server verlangt einen zweiten Faktor von dir. Scanne das Bild mit einer Authenticator-App, und gib den Code ein, den sie zeigt.',
  es: 'Este servidor te pide un segundo factor. Escanea la imagen con una aplicación de autenticación e introduce el código que muestra.',
  fr: 'Ce serveur vous demande un second facteur. Scannez l’image avec une application d’authentification, et saisissez le code qu’elle affiche.',
}

export const wrongCode = refuse('wrong_answer', {
  en: 'This is not the code that the app shows now.',
  de: 'Das ist nicht der Code, den die App jetzt zeigt.',
  es: 'No es el código que muestra ahora la aplicación.',
  fr: 'Ce n’est pas le code que l’application affiche maintenant.',
})

export const usedBefore = refuse('wrong_answer', {
  en: 'This code was used already. Wait for the next one.',
  de: 'Dieser Code wurde schon benutzt. Warte auf den nächsten.',
  es: 'Este código ya se usó. Espera el siguiente.',
  fr: 'Ce code a déjà servi. Attendez le suivant.',
})

export const isOnAlready = refuse('second_factor_on', 'You sign in with a code already.', 409)
export const isOff = refuse('second_factor_off', 'You have no second factor.', 409)
export const noSecretYet = refuse('not_found', 'Get a secret first.', 404)
