export interface Written {
  /** With the words of each `describe` around it, and `…` for what `each` puts in. */
  readonly title: string
  /** The whole call, and the beginnings of those around it. */
  readonly text: string
}

/**
 * The tests of a file, by the indentation, which the formatter makes; the checks of `test/conformance.ts` have names. Other texts are
 * among them, and hurt nobody.
 */
export function testsIn(source: string): readonly Written[] {
  const around: { readonly indent: number; readonly title: string; readonly text: string }[] = []
  // A title may stand on a line below.
  const lines = source.replace(/\(\n +(?='[^'\n]+',\n)/g, '(').split('\n')
  return lines.flatMap((line, at) => {
    const [, space = '', title] = /^( *)(?:name: |.*\()?'([^']+)',/.exec(line) ?? []
    if (title === undefined) return []
    const indent = space.length
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop()
    const whole = [...around.map(it => it.title), title].join(' ')
    const start = lines.findLastIndex((it, index) => index <= at && beginsAt(it, indent))
    const end = lines.findIndex((it, index) => index > at && closesAt(it, indent))
    const head = lines.slice(start, at + 1).join('\n')
    const isGroup = lines[start]?.trimStart().startsWith('describe')
    const own = isGroup ? head : lines.slice(start, Math.max(end, at) + 1).join('\n')
    const text = [...around.map(it => it.text), own].join('\n')
    if (isGroup) around.push({ indent, title, text: head })
    return [{ title: whole.replace(/%[a-z]|\$\w+/g, '…'), text }]
  })
}

/** The titles of the tests of a file. */
export function titlesIn(source: string): readonly string[] {
  return testsIn(source).map(({ title }) => title)
}

function beginsAt(line: string, indent: number): boolean {
  return /^ *\w/.test(line) && line.search(/\S/) === indent
}

function closesAt(line: string, indent: number): boolean {
  return /^ *[)}\]]/.test(line) && line.search(/\S/) === indent && !line.endsWith('(')
}
