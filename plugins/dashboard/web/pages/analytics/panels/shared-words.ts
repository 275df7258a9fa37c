/** The words that all texts start with: `UTM` of `UTM source` and `UTM medium`. */
export function sharedWords(texts: readonly string[]): string {
  const [first = [], ...others] = texts.map(text => text.split(' '))
  const end = first.findIndex((word, index) => others.some(words => words[index] !== word))
  return first.slice(0, end < 0 ? first.length : end).join(' ')
}
