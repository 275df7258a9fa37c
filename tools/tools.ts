import type { Commands } from '../core/cli/commands/program.ts'

/** What no server runs, by the command that it is, or that it adds to: each is imported only when it is used. */
export const tools: Commands = {
  plugins: async () => (await import('./dev/author-commands.ts')).addAuthorCommands,
  dev: async () => (await import('./dev/dev-command.ts')).addDevCommand,
  'migrate-to': async () => (await import('./move/migrate-command.ts')).addMigrateCommand,
}
