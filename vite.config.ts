import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noticesOfDashboard } from './.ci/release/third-party-notices.ts'
import { compressFiles } from './plugins/dashboard/web/build/compress.ts'
import { shownText } from './plugins/dashboard/web/build/shown-text.ts'
import { strictStyles } from './plugins/dashboard/web/build/strict-styles.ts'
import { themeCss } from './plugins/dashboard/web/build/theme-css.ts'
import { wordsInUse } from './plugins/dashboard/web/build/words.ts'
import { worldMap } from './plugins/dashboard/web/build/world-map.ts'

/**
 * The libraries of the first page in one file: with some forty files, the browser would request them in several
 * rounds.
 */
const firstLibraries = { name: 'libraries', test: /node_modules/, tags: ['$initial' as const] }

/** The dashboard: `vite build` writes to `dist/dashboard`, `vite` serves it for development beside a running server. */
export default defineConfig(({ command }) => {
  // Always build with the small and fast React, whatever NODE_ENV the shell has.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    root: 'plugins/dashboard/web',
    base: '/dashboard/',
    plugins: [
      react(),
      wordsInUse(),
      themeCss(),
      worldMap(),
      shownText(),
      strictStyles(),
      noticesOfDashboard(['world-atlas']),
      compressFiles(),
    ],
    build: {
      outDir: '../../../dist/dashboard',
      emptyOutDir: true,
      target: 'es2022',
      // These support light-dark(): the fallback for older ones does not follow the colour scheme that somebody
      // chose.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // Compressing takes long on purpose, so no warning about slow plugins.
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: { codeSplitting: { groups: [firstLibraries] } },
      },
      // A test limits what matters: the list of links loads less than 190 KiB, compressed.
      chunkSizeWarningLimit: 750,
    },
    server: { proxy: { '/api': 'http://localhost:8080' } },
  }
})
