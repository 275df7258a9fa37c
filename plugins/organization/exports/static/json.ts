import type { Format } from './format.ts'

/** For programs of your own. */
export const json: Format = {
  separator: ',\n',
  line: ({ path, url, status }) =>
    `${JSON.stringify(path)}:${JSON.stringify({ status, location: url })}`,
  files: parts => [
    {
      name: 'links.json',
      pieces: [
        '{',
        ...parts.flatMap((part, index) => [
          `${index > 0 ? ',\n' : ''}${JSON.stringify(part.host)}:{\n`,
          part,
          '\n}',
        ]),
        '}\n',
      ],
    },
  ],
  readme:
    'By host, by path as people read it, and with its slash: where it leads, and with which status.',
}
