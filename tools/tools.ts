import type { Tools } from '../core/cli/commands/program.ts'

/** The commands that no server runs: each is imported only when it is used. */
export const tools: Tools = {
  dev: async () => (await import('./dev/dev-command.ts')).addDevCommand,
  'migrate-to': async () => (await import('./move/migrate-command.ts')).addMigrateCommand,
}
