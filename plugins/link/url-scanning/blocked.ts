import { type Refusal, refuse } from '../../../core/plugin.ts'

/** What visitors are told in place of being sent to a harmful address. */
export function blocked(reason: string): Refusal {
  const detail = {
    en: `This link is blocked to protect you: its target is ${reason}.`,
    de: 'Dieser Link ist zu deinem Schutz blockiert: Sein Ziel gilt als schädlich.',
    fr: 'Ce lien est bloqué pour vous protéger : sa destination est jugée dangereuse.',
    es: 'Este enlace está bloqueado para protegerte: su destino se considera dañino.',
  }
  return refuse('blocked', detail, 451)
}
