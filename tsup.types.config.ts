import { defineConfig } from 'tsup'

/** The type declarations that plugin authors and callers of the API import, one file per entry. */
export default defineConfig({
  entry: {
    client: 'client/linnet.ts',
    plugin: 'core/plugin.ts',
    harness: 'test/harness.ts',
    conformance: 'test/conformance.ts',
  },
  format: 'esm',
  dts: { only: true },
})
