import { defineConfig } from 'tsup'

/**
 * The type declarations that plugin authors and callers of the API import, one file per entry, from what the compiler
 * declared of each source: `checkTypes` in run.mjs.
 */
export default defineConfig({
  entry: {
    client: '.types/client/linnet.d.ts',
    plugin: '.types/core/plugin.d.ts',
    harness: '.types/test/harness.d.ts',
    conformance: '.types/test/conformance.d.ts',
  },
  format: 'esm',
  dts: { only: true },
})
