import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import 'virtual:theme.css'
import './theme/global.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient, router } from './router.ts'
import { AbovePage } from './shell/above-page.tsx'
import { colorSchemeManager } from './theme/color-scheme.ts'
import { theme } from './theme/theme.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app.')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      // They are in virtual:theme.css: the policy allows no `<style>`.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <AbovePage router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
