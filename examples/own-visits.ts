import { BlockList, isIP, isIPv6 } from 'node:net'
import { definePlugin, list } from 'linnet/plugin'

export default definePlugin({
  feature: 'custom.ownVisits',
  about:
    'Leave visits from your own networks, and of programs that watch your links, out of the numbers.',
  settings: {
    networks: list({ label: 'Networks', hint: 'As 192.0.2.7 or 192.0.2.0/24.', default: [] }),
    programs: list({
      label: 'Programs',
      hint: 'Words of their user agents.',
      default: ['UptimeRobot', 'Uptime-Kuma'],
    }),
  },
  setup({ settings: { networks } }) {
    const own = new BlockList()
    for (const network of networks) {
      const [address = '', bits = isIPv6(address) ? '128' : '32'] = network.split('/')
      if (!isIP(address)) throw new Error(`${network} is no network, such as 192.0.2.0/24.`)
      own.addSubnet(address, Number(bits), familyOf(address))
    }
    return own
  },
  unstable: {
    counts({ ip, userAgent }, { settings: { programs }, state: own }) {
      if (programs.some(word => userAgent.includes(word))) return false
      return ip === '' || !own.check(ip, familyOf(ip))
    },
  },
})

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
