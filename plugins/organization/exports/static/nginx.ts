import type { Format, Part } from './format.ts'

/** A word of a configuration is at most as long as what nginx reads of it at once. */
const maxWord = 4_000

/**
 * A `location =` for each code: nginx finds them in a tree, by upper and lower case. A `map` would compare in any case, and a list of
 * patterns one after another.
 */
export const nginx: Format = {
  separator: '\n',
  line({ path, url, status }) {
    const line = `location = ${quoted(path)} { return ${status} ${withDollars(quoted(url))}; }`
    const isTooLong = [quoted(path), withDollars(quoted(url))].some(it => it.length > maxWord)
    return isTooLong ? { problem: `nginx reads no words longer than ${maxWord} characters` } : line
  },
  files: parts => [
    { name: 'linnet.conf', pieces: [begin, ...parts.flatMap(part => serverOf(part))] },
  ],
  readme: `Include \`linnet.conf\` within \`http\`, such as by placing it in \`/etc/nginx/conf.d/\`, and add \`listen 443 ssl\` and
the certificates to each \`server\`, also to the first one, which answers all other hosts with 404. \`nginx -t\` checks it. Many
thousand links take some hundred bytes of memory each.`,
}

/**
 * nginx cannot escape a dollar in an address, but a variable can be one. A host that has no server gets the first one, which is
 * not marked as the default: where another file marks one, nginx takes that.
 */
const begin = `geo $linnet_dollar { default "$"; }

server {
listen 80;
server_name "";
return 404;
}
`

function serverOf(part: Part): readonly (string | Part)[] {
  const [name = ''] = part.host.split(':')
  const head = `
server {
listen 80;
server_name ${quoted(name)};
# An escaped slash is no slash, and two are not one, which nginx may have made of them by now.
if ($request_uri ~* "^[^?]*(%2f|//)") { return 404; }
location / { return 404; }
`
  return [head, part, '\n}\n']
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function withDollars(text: string): string {
  return text.replaceAll('$', () => `\${linnet_dollar}`)
}
