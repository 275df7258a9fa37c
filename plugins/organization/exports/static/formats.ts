import { caddy } from './caddy.ts'
import type { Format } from './format.ts'
import { haproxy } from './haproxy.ts'
import { json } from './json.ts'
import { nginx } from './nginx.ts'
import { redirects } from './redirects.ts'

/** The servers for which there are bundles, by the word on the command line. */
export const formats = {
  nginx,
  caddy,
  haproxy,
  _redirects: redirects,
  json,
} as const satisfies Readonly<Record<string, Format>>
