import { definePlugin } from '../../core/plugin.ts'

// The build puts the files next to the bundle. From source, they are used from where the build put them.
const isSource = import.meta.url.endsWith('.ts')
const folder = new URL(isSource ? '../../dist/dashboard/' : './dashboard/', import.meta.url)

export default definePlugin({
  feature: 'dashboard.web',
  about: 'Manage everything in a browser.',
  site: { path: 'dashboard', folder, home: true, signIn: 'sign-in' },
})
