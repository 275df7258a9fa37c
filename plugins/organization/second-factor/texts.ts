import { refuse, type VisitorText } from '../../../core/plugin.ts'

/** What people are asked after the password. */
export const enterCode: VisitorText = {
  en: 'Enter the code that your authenticator app shows, or a recovery code.',
  de: 'Gib den Code ein, den deine Authenticator-App zeigt, oder einen Wiederherstellungscode.',
  es: 'Introduce el código de tu aplicación de autenticación o un código de recuperación.',
  fr: 'Saisissez le code de votre application d’authentification, ou un code de secours.',
}

/** The same of those who have passkeys alone. */
export const enterRecoveryCode: VisitorText = {
  en: 'Enter a recovery code.',
  de: 'Gib einen Wiederherstellungscode ein.',
  es: 'Introduce un código de recuperación.',
  fr: 'Saisissez un code de secours.',
}

export const usePasskeyNow: VisitorText = {
  en: 'Use your passkey to sign in.',
  de: 'Melde dich mit deinem Passkey an.',
  es: 'Usa tu llave de acceso para iniciar sesión.',
  fr: 'Utilisez votre clé d’accès pour vous connecter.',
}

/** The same of those who have no second factor yet. */
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

export const wrongPasskey = refuse('wrong_answer', {
  en: 'This passkey does not belong to the account, or it took too long.',
  de: 'Dieser Passkey gehört nicht zu dem Konto, oder es hat zu lange gedauert.',
  es: 'Esta llave de acceso no es de la cuenta, o tardó demasiado.',
  fr: 'Cette clé d’accès n’est pas celle du compte, ou cela a pris trop de temps.',
})

export const notAlone = refuse('wrong_answer', {
  en: 'Nobody signs in with this passkey alone. Sign in otherwise, and see Settings → Your passkeys.',
  de: 'Mit diesem Passkey allein meldet sich niemand an. Melde dich anders an, und sieh unter Einstellungen → Deine Passkeys nach.',
  es: 'Nadie inicia sesión solo con esta llave de acceso. Entra de otra forma y mira en Ajustes → Tus llaves de acceso.',
  fr: 'Personne ne se connecte avec cette clé d’accès seule. Connectez-vous autrement, puis voyez Réglages → Vos clés d’accès.',
})

export const noPasskey = refuse(
  'validation_failed',
  'This is no passkey for this account and this server, or it took too long.',
  422,
  'passkey',
)
export const tooManyPasskeys = refuse(
  'limit_reached',
  'You have 20 passkeys already.',
  403,
  undefined,
  {
    limit: 20,
    used: 20,
  },
)

export const isOnAlready = refuse('second_factor_on', 'You sign in with a code already.', 409)
export const isOff = refuse('second_factor_off', 'You have no second factor.', 409)
export const noSecretYet = refuse('not_found', 'Get a secret first.', 404)
