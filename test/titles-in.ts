/**
 * The titles of tests with the words of each `describe` around them, and `…` for what `each` puts in. By the indentation, which
 * the formatter makes; the checks of `test/conformance.ts` have names. Other texts are among them, and hurt nobody.
 */
export function titlesIn(source: string): readonly string[] {
  const around: { readonly indent: number; readonly title: string }[] = []
  // A title may stand on a line below.
  const lines = source.replace(/\(\n +(?='[^'\n]+',\n)/g, '(').split('\n')
  return lines.flatMap(line => {
    const [, space = '', title] = /^( *)(?:name: |.*\()?'([^']+)',/.exec(line) ?? []
    if (title === undefined) return []
    const indent = space.length
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop()
    const whole = [...around.map(it => it.title), title].join(' ')
    if (line.trimStart().startsWith('describe')) around.push({ indent, title })
    return [whole.replace(/%[a-z]|\$\w+/g, '…')]
  })
}
