/** The names of headers that a plugin may give its answers. All others are Linnet's. */
export const answerHeaders = [
  'Allow',
  'Cache-Control',
  'Content-Disposition',
  'Content-Language',
  'ETag',
  'Expires',
  'Last-Modified',
  'Link',
  'Location',
  'Referrer-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Robots-Tag',
] as const

/** Headers of an answer by name, in place of those that Linnet would send. Values are ASCII. */
export type AnswerHeaders = Readonly<Partial<Record<(typeof answerHeaders)[number], string>>>
