/** The plugin's own tables. `definePlugin<Tables>()` gives their columns. */
// biome-ignore lint/suspicious/noExplicitAny: only the plugin knows its tables
export type Tables = any
