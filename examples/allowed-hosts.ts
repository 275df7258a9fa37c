import { definePlugin, list, refuse } from 'linnet/plugin'

export default definePlugin({
  feature: 'custom.allowedHosts',
  about: 'Let links lead to some hosts alone.',
  settings: {
    hosts: list({
      label: 'Allowed hosts',
      hint: 'As example.com, which allows www.example.com too. None: all are allowed.',
      default: [],
    }),
  },
  setup: ({ settings: { hosts } }) => hosts.map(host => host.toLowerCase()),
  validate({ addresses }, { state: hosts }) {
    if (hosts.length === 0) return
    const wrong = addresses.find(({ url }) => !isBelow(new URL(url).hostname, hosts))
    if (!wrong) return
    const name = new URL(wrong.url).hostname || wrong.url
    return refuse('host_not_allowed', `Links may not lead to ${name}.`, 422, wrong.field)
  },
})

function isBelow(name: string, hosts: readonly string[]): boolean {
  return hosts.some(host => name === host || name.endsWith(`.${host}`))
}
