import { defineConfig } from 'tsup'

/** The type declarations that plugin authors import, one file per entry. */
export default defineConfig({
  entry: {
    plugin: 'core/plugin.ts',
    harness: 'test/harness.ts',
    conformance: 'test/conformance.ts',
  },
  format: 'esm',
  dts: { only: true },
})
