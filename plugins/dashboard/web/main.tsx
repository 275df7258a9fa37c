import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import 'virtual:theme.css'
import './theme/global.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient, router } from './router.ts'
import { colorSchemeManager } from './theme/color-scheme.ts'
import { resolveVariables, theme } from './theme/theme.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app.')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      // They are in virtual:theme.css: the page may hold no `<style>`.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
