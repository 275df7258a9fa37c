import { definePlugin, field, inNetworks, networkSchema, toggle, z } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.leftOutVisits',
  label: 'Visits left out',
  about: 'Leave visits from your own networks, and of owners of links, out of all numbers.',
  settings: {
    networks: field<readonly string[]>(z.array(networkSchema()).max(100).readonly(), {
      label: 'Networks',
      hint: 'One address or network a line, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.',
      control: 'list',
      default: [],
    }),
    owners: toggle({
      label: 'Leave out the owner of the link',
      hint: 'Whoever is signed in to the dashboard in the same browser. Not on custom domains, where no browser says so.',
      default: false,
    }),
  },
  setup: ({ settings: { networks } }) => inNetworks(networks),
  unstable: {
    seesOwner: true,
    counts: ({ ip, byOwner }, { settings, state: isOurs }) =>
      !(settings.owners && byOwner) && !isOurs(ip),
  },
})
