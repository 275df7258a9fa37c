import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { listOfTexts } from './.ci/release/all-texts.ts'
import { noticesOfProgram } from './.ci/release/third-party-notices.ts'

/** What the sources import from `node:http`. The build fails for any other name until it is added here. */
const namesOfHttp = 'IncomingMessage, STATUS_CODES, Server, ServerResponse, createServer, request'

/**
 * One ESM bundle with its dependencies, which starts several times as fast, and in less memory, as hundreds of
 * small files. Two dependencies stay outside: better-sqlite3 is compiled, and pino looks for its own files.
 * Each plugin stays a chunk of its own, so that a plugin that is off is never read.
 */
export const program: Options = {
  entry: {
    main: 'core/main.ts',
    'recorder-worker': 'core/recorder-worker.ts',
    'backup-worker': 'core/backup-worker.ts',
    'bcrypt-worker': 'core/bcrypt-worker.ts',
    'import-reader': 'plugins/organization/imports/apart/reader.ts',
    plugin: 'core/plugin.ts',
    harness: 'test/harness.ts',
    conformance: 'test/conformance.ts',
    inside: 'test/inside.ts',
  },
  format: 'esm',
  target: 'node22',
  splitting: true,
  // Keeps what is built separately: by vite, by tsup.types.config.ts, and the client.
  clean: ['!dashboard', '!*.d.ts', '!client.js'],
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  removeNodeProtocol: false,
  external: ['better-sqlite3', 'pino', 'pg-native'],
  noExternal: [/^(?!better-sqlite3|pino|pg-native)/],
  // Bundled CommonJS loads Node's own modules with `require`, which ESM does not have.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  esbuildPlugins: [
    {
      // zod includes its messages in forty languages; ours are all in one.
      name: 'zod-in-english',
      setup(build) {
        const filter = /\/zod\/v4\/locales\/index\.js$/
        build.onLoad({ filter }, ({ path }) => ({
          contents: `export { default as en } from ${JSON.stringify(join(dirname(path), 'en.js'))}`,
        }))
      },
    },
    {
      // Importing `node:http` makes Node read all of undici, its HTTP client, because WebSocket is among the exports.
      // That is a quarter of the time that a command takes. If the module is loaded as a value, Node reads undici
      // only on access.
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
    {
      // A package of ours uses it, too, and in a chunk that both share it would run before what it needs.
      name: 'tsyringe-after-reflect',
      setup(build) {
        build.onLoad({ filter: /\/tsyringe\/dist\/esm5\/index\.js$/ }, ({ path }) => ({
          contents: `import 'reflect-metadata'\n${readFileSync(path, 'utf8')}`,
          resolveDir: dirname(path),
        }))
      },
    },
    noticesOfProgram,
    listOfTexts,
  ],
}

/** The client for programs elsewhere: one file that runs in Node, Deno, Bun and browsers, and stays legible in their traces. */
const client: Options = {
  entry: { client: 'client/linnet.ts' },
  format: 'esm',
  target: 'es2022',
  platform: 'browser',
  sourcemap: true,
}

// What `npm run dev` watches starts the server after each build, and so must be one.
export default defineConfig(({ watch }) => (watch ? program : [program, client]))
