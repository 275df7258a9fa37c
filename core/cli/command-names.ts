/** The commands for a server on this machine, on its data folder. */
export const commandNames = [
  'serve',
  'setup',
  'token',
  'account',
  'plugins',
  'run',
  'config',
  'dev',
  'doctor',
  'backup',
  'restore',
  'migrate-to',
  'health',
] as const

export type CommandName = (typeof commandNames)[number]

/** The commands for servers elsewhere, besides those that each server describes. */
export const commandsElsewhere = {
  login: 'Keep the token of a server, to call it from here.',
  logout: 'Forget a server and its token.',
  servers: 'List the servers that you logged in to, or choose one.',
  links: 'Create, list, show, edit, delete, import and export links.',
  stats: 'Show analytics of all links, or of one.',
  open: 'Open the dashboard in a browser, or the page of a link there.',
  remote: 'List all that the server has, its plugins included, or run it.',
  mcp: 'Let an assistant that starts programs work with a server, by MCP.',
  completion: 'Print what makes a shell complete these commands.',
} as const
