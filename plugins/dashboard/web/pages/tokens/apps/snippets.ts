import { bookmarkletOf } from '../../../shared/copy/bookmarklet.ts'

/** What programs are given to make links here: the address of this instance, and a token. */
export interface Access {
  /** Such as `https://go.example.org`. */
  readonly origin: string
  readonly token: string
}

type Snippet = (access: Access) => string

/** A custom uploader of ShareX: https://getsharex.com/docs/custom-uploader */
const shareX: Snippet = ({ origin, token }) =>
  JSON.stringify(
    {
      Version: '15.0.0',
      Name: `Linnet (${new URL(origin).host})`,
      DestinationType: 'URLShortener',
      RequestMethod: 'POST',
      RequestURL: linksOf(origin),
      Headers: { Authorization: `Bearer ${token}` },
      Body: 'JSON',
      Data: '{"original_url": "{input}", "reuse": true}',
      URL: '{json:data.shortUrl}',
      ErrorMessage: '{json:detail}',
    },
    undefined,
    2,
  )

/** The fields of the action "Get Contents of URL". */
const shortcuts: Snippet = ({ origin, token }) =>
  [
    `URL            ${linksOf(origin)}`,
    'Method         POST',
    `Authorization  Bearer ${token}`,
    'original_url   Shortcut Input',
    'Value          data.shortUrl',
  ].join('\n')

/** A script command: https://github.com/raycast/script-commands */
const raycast: Snippet = ({ origin, token }) =>
  `#!/bin/bash

# @raycast.schemaVersion 1
# @raycast.title Shorten URL
# @raycast.mode compact
# @raycast.packageName Linnet
# @raycast.argument1 { "type": "text", "placeholder": "URL" }

url=\${1//\\\\/%5C}
url=\${url//\\"/%22}
short=$(curl --silent --fail '${linksOf(origin)}' \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d "{\\"original_url\\": \\"$url\\", \\"reuse\\": true}" |
  sed -n 's/.*"shortUrl":"\\([^"]*\\)".*/\\1/p')
[ -n "$short" ] || { echo "The link was not made."; exit 1; }
printf %s "$short" | pbcopy
echo "$short"
`

/** A RESTful command: https://www.home-assistant.io/integrations/rest_command */
const homeAssistant: Snippet = ({ origin, token }) =>
  `rest_command:
  shorten_url:
    url: "${linksOf(origin)}"
    method: post
    content_type: "application/json"
    headers:
      Authorization: "Bearer ${token}"
    payload: '{{ {"original_url": url, "reuse": true} | to_json }}'
`

/** A node, as n8n takes it from the clipboard. */
const n8n: Snippet = ({ origin, token }) =>
  JSON.stringify(
    {
      nodes: [
        {
          name: 'Shorten URL',
          type: 'n8n-nodes-base.httpRequest',
          typeVersion: 4.2,
          position: [0, 0],
          parameters: {
            method: 'POST',
            url: linksOf(origin),
            sendHeaders: true,
            headerParameters: {
              parameters: [{ name: 'Authorization', value: `Bearer ${token}` }],
            },
            sendBody: true,
            specifyBody: 'json',
            jsonBody: '={{ JSON.stringify({ original_url: $json.url, reuse: true }) }}',
          },
        },
      ],
      connections: {},
    },
    undefined,
    2,
  )

/** A command that creates a link. */
const curl: Snippet = ({ origin, token }) =>
  [
    `curl ${linksOf(origin)} \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"original_url": "https://example.com/"}'`,
  ].join('\n')

/** A server of the Model Context Protocol, as most clients take it: https://modelcontextprotocol.io */
const assistant: Snippet = ({ origin, token }) =>
  JSON.stringify(
    {
      mcpServers: {
        linnet: {
          type: 'http',
          url: `${origin}/api/v1/mcp`,
          headers: { Authorization: `Bearer ${token}` },
        },
      },
    },
    undefined,
    2,
  )

/** What assistants may do: make links, as the other programs, and read numbers. */
export const scopesOfAssistants = ['links:write', 'analytics:read'] as const

/** Programs for which there is a snippet, in the order in which they are shown. */
export const snippets = {
  shareX,
  shortcuts,
  raycast,
  homeAssistant,
  n8n,
  assistant,
  curl,
  bookmarklet: ({ origin }: Access) => bookmarkletOf(origin),
} as const satisfies Readonly<Record<string, Snippet>>

export type App = keyof typeof snippets

function linksOf(origin: string): string {
  return `${origin}/api/v1/links`
}
