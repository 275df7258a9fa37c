import { dirname, join } from 'node:path'
import { defineConfig } from 'tsup'
import { noticesOfProgram } from './.ci/release/third-party-notices.ts'

/** What is imported from `node:http`. The build fails for another name, until that is here too. */
const namesOfHttp = 'IncomingMessage, STATUS_CODES, Server, ServerResponse, createServer, request'

/**
 * One ESM bundle with what it needs in it: that starts several times as fast, and in less memory, as
 * reading hundreds of small files. Two stay outside: better-sqlite3 is compiled, pino finds its own
 * files. Every plugin stays a chunk of its own, so that what is off is never read.
 */
export default defineConfig({
  entry: {
    main: 'core/main.ts',
    'recorder-worker': 'core/recorder-worker.ts',
    'backup-worker': 'core/backup-worker.ts',
    plugin: 'core/plugin.ts',
    harness: 'test/harness.ts',
    conformance: 'test/conformance.ts',
  },
  format: 'esm',
  target: 'node22',
  splitting: true,
  // What vite and tsup.types.config.ts made stays: that has its own time.
  clean: ['!dashboard', '!*.d.ts'],
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  removeNodeProtocol: false,
  external: ['better-sqlite3', 'pino', 'pg-native'],
  noExternal: [/^(?!better-sqlite3|pino|pg-native)/],
  // Bundled CommonJS asks for Node's own modules with `require`, which ESM does not have.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  esbuildPlugins: [
    {
      // zod brings its messages in forty languages; ours are all in one.
      name: 'zod-in-english',
      setup(build) {
        const filter = /\/zod\/v4\/locales\/index\.js$/
        build.onLoad({ filter }, ({ path }) => ({
          contents: `export { default as en } from ${JSON.stringify(join(dirname(path), 'en.js'))}`,
        }))
      },
    },
    {
      // Node reads all of undici, its client for HTTP, for whoever imports `node:http`: WebSocket is one of its names. That
      // is a quarter of the time that a command takes. For whoever gets it as a value, it reads that only when asked.
      name: 'http-without-undici',
      setup(build) {
        build.onResolve({ filter: /^node:http$/ }, ({ path }) => ({ path, namespace: 'as-value' }))
        build.onLoad({ filter: /^node:http$/, namespace: 'as-value' }, () => ({
          contents: `
            const http = process.getBuiltinModule('node:http')
            export const { ${namesOfHttp} } = http
            export default http`,
        }))
      },
    },
    noticesOfProgram,
  ],
})
