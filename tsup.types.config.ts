import { defineConfig } from 'tsup'

/** The type declarations of what plugin authors import, one file an entry. */
export default defineConfig({
  entry: {
    plugin: 'core/plugin.ts',
    harness: 'test/harness.ts',
    conformance: 'test/conformance.ts',
  },
  format: 'esm',
  dts: { only: true },
})
