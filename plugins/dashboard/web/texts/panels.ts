/** The texts about what plugins show. */
export const panelTexts = {
  failed: (why: string) => `This cannot be shown: ${why}`,
  unexpected: 'This cannot be shown: the plugin answered something unexpected.',
  nothing: 'Nothing here yet.',
  chart: (title: string) => `Chart: ${title}`,
  once: 'This is shown only now. Copy what you need before you close it.',
  copy: (label: string) => `Copy: ${label}`,
  edit: (name: string) => `Edit ${name}`,
  actionsFor: (name: string) => `Actions for ${name}`,
} as const
