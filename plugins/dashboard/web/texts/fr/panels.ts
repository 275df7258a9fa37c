import type { Translated } from '../../language/translated.ts'
import type { panelTexts as english } from '../panels.ts'

export const panelTexts = {
  failed: (why: string) => `Affichage impossible : ${why}`,
  unexpected: 'Affichage impossible : la réponse du plugin est inattendue.',
  nothing: 'Rien ici pour l’instant.',
  chart: (title: string) => `Graphique : ${title}`,
  once: 'Ceci ne s’affiche que maintenant. Copiez ce qu’il vous faut avant de fermer.',
  copy: (label: string) => `Copier : ${label}`,
  edit: (name: string) => `Modifier ${name}`,
  actionsFor: (name: string) => `Actions pour ${name}`,
} as const satisfies Translated<typeof english>
