import type { Format, Part } from './format.ts'

/** A map file for each host and status: HAProxy finds keys in a tree, and reads no escapes. */
export const haproxy: Format = {
  separator: '\n',
  isByStatus: true,
  line: ({ path, url }) =>
    /[\r\n]/.test(path + url)
      ? { problem: 'a map of HAProxy has no line breaks' }
      : `${path} ${url}`,
  files: parts => [
    ...parts.map(part => ({ name: mapOf(part), pieces: [part, '\n'] })),
    { name: 'haproxy.cfg', pieces: [frontend, ...parts.map(ruleOf), nothingElse] },
  ],
  readme: `Put the files \`*.map\` into \`/etc/haproxy/\`, and the lines of \`haproxy.cfg\` into your configuration, with your
certificate in \`bind\`. \`haproxy -c -f …\` checks it.`,
}

const frontend = `frontend linnet
    mode http
    bind :80
    http-request set-var(txn.host) req.hdr(host),field(1,:),lower
    http-request return status 404 if { path -m sub -i %2f %00 }
    http-request set-var(txn.path) path,url_dec
`

const nothingElse = '    http-request return status 404\n'

function mapOf({ host, status }: Part): string {
  return `${host.replace(/[^\w.-]/g, '_')}.${status}.map`
}

function ruleOf(part: Part): string {
  const file = `/etc/haproxy/${mapOf(part)}`
  const [name] = part.host.split(':')
  return `    http-request redirect location %[var(txn.path),map_str(${file})] code ${part.status} if { var(txn.host) -m str ${name} } { var(txn.path),map_str(${file}) -m found }\n`
}
