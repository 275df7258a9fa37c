import type { Translated } from '../../language/translated.ts'
import type { panelTexts as english } from '../panels.ts'

export const panelTexts = {
  failed: (why: string) => `Affichage impossible : ${why}`,
  unexpected: 'Affichage impossible : la réponse du plugin est inattendue.',
  nothing: 'Rien ici pour l’instant.',
  chart: (title: string) => `Graphique : ${title}`,
  actionsFor: (name: string) => `Actions pour ${name}`,
} as const satisfies Translated<typeof english>
