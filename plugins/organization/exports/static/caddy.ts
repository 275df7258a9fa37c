import type { Format } from './format.ts'

/** A configuration in JSON, where nothing but placeholders has to be escaped. Its `map` compares byte by byte. */
export const caddy: Format = {
  separator: ',\n',
  line: ({ path, url, status }) =>
    JSON.stringify({ input: path, outputs: [withoutPlaceholders(url), `${status}`] }),
  files: parts => [
    {
      name: 'caddy.json',
      pieces: [
        '{"apps":{"http":{"servers":{"linnet":{"listen":[":443"],"routes":[\n',
        ...parts.flatMap(part => [
          `{"match":[{"host":[${JSON.stringify(part.host.replace(/:\d+$/, ''))}]}],"terminal":true,"handle":[{"handler":"map","source":"{http.request.uri.path}","destinations":["{linnet.url}","{linnet.status}"],"defaults":["","404"],"mappings":[\n`,
          part,
          `\n]},{"handler":"subroute","routes":[{"match":[{"expression":"{linnet.status} == \\"404\\" || {http.request.uri}.matches(\\"(?i)^[^?]*%2f\\")"}],"handle":[{"handler":"static_response","status_code":404}]},{"handle":[{"handler":"static_response","status_code":"{linnet.status}","headers":{"Location":["{linnet.url}"]}}]}]}]},\n`,
        ]),
        // Caddy answers hosts that it knows nothing of with 200.
        '{"handle":[{"handler":"static_response","status_code":404}]}\n]}}}}}\n',
      ],
    },
  ],
  readme: `Run \`caddy run --config caddy.json\`, or load it into a Caddy that runs: \`caddy reload --config caddy.json\`. Caddy gets the
certificates of the hosts. It looks through the list at each request, which takes a millisecond for some hundred thousand links.`,
}

/** Braces are those of placeholders, unless there is a backslash before them. */
function withoutPlaceholders(url: string): string {
  return url.replace(/[{}]/g, '\\$&')
}
