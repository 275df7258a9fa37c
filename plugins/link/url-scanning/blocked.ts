import { type Refusal, refuse } from '../../../core/plugin.ts'

type Translated = Readonly<Record<'de' | 'fr' | 'es', string>>

/** What visitors see instead of a harmful page. `reason` is in English. */
export function blocked(reason: string): Refusal {
  const { de, fr, es } = targetIs(reason)
  const detail = {
    en: `This link is blocked to protect you: its target is ${reason}.`,
    de: `Dieser Link ist zu deinem Schutz blockiert: Sein Ziel ${de}.`,
    fr: `Ce lien est bloqué pour vous protéger : sa destination ${fr}.`,
    es: `Este enlace está bloqueado para protegerte: su destino ${es}.`,
  }
  return refuse('blocked', detail, 451)
}

/** The reason in the other languages. */
function targetIs(reason: string): Translated {
  const [, list] = /^on the list (.+)$/s.exec(reason) ?? []
  if (list !== undefined) {
    return {
      de: `steht auf der Liste ${list}`,
      fr: `figure sur la liste ${list}`,
      es: `figura en la lista ${list}`,
    }
  }
  return reason.startsWith('reported by Google Safe Browsing') ? reported : harmful
}

const reported: Translated = {
  de: 'wird von Google Safe Browsing als schädlich gemeldet',
  fr: 'est signalée comme dangereuse par Google Safe Browsing',
  es: 'está señalado como dañino por Google Safe Browsing',
}

const harmful: Translated = {
  de: 'gilt als schädlich',
  fr: 'est jugée dangereuse',
  es: 'se considera dañino',
}
