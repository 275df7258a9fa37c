import { defineConfig } from 'tsup'

/**
 * One ESM bundle that keeps its dependencies outside. Every plugin stays a chunk of its own, so that
 * what is off is never read.
 */
export default defineConfig({
  entry: {
    main: 'core/main.ts',
    'recorder-worker': 'core/recorder-worker.ts',
    plugin: 'core/plugin.ts',
    harness: 'test/harness.ts',
    conformance: 'test/conformance.ts',
  },
  format: 'esm',
  target: 'node20',
  splitting: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
  skipNodeModulesBundle: true,
})
