import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noticesOfDashboard } from './.ci/release/third-party-notices.ts'
import { compressFiles } from './plugins/dashboard/web/build/compress.ts'
import { strictStyles } from './plugins/dashboard/web/build/strict-styles.ts'
import { themeCss } from './plugins/dashboard/web/build/theme-css.ts'
import { wordsInUse } from './plugins/dashboard/web/build/words.ts'
import { worldMap } from './plugins/dashboard/web/build/world-map.ts'

/** What the first page needs of libraries is one file: in some forty, the browser would ask for them by turns. */
const firstLibraries = { name: 'libraries', test: /node_modules/, tags: ['$initial' as const] }

/** The dashboard: `vite build` into `dist/dashboard`, `vite` to work on it beside a running server. */
export default defineConfig(({ command }) => {
  // What is served is the small and fast React, whatever NODE_ENV the shell has.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    root: 'plugins/dashboard/web',
    base: '/dashboard/',
    plugins: [
      react(),
      wordsInUse(),
      themeCss(),
      worldMap(),
      strictStyles(),
      noticesOfDashboard(['world-atlas']),
      compressFiles(),
    ],
    build: {
      outDir: '../../../dist/dashboard',
      emptyOutDir: true,
      target: 'es2022',
      // These know light-dark(): what stands in for it elsewhere does not follow the scheme that somebody chose.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // Compressing takes its time, as it should.
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: { codeSplitting: { groups: [firstLibraries] } },
      },
      // What counts is held by a test: the list of links loads less than 190 KiB, compressed.
      chunkSizeWarningLimit: 750,
    },
    server: { proxy: { '/api': 'http://localhost:8080' } },
  }
})
