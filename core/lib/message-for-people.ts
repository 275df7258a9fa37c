/** Errors about a mistake in code, and errors of zod, whose message is JSON. */
const ofCode = /^(Type|Range|Reference|Syntax|Eval|URI|Assertion|\$?Zod)Error$/
/** Codes of errors of Node and of its zlib. Those of the system, such as ENOENT, have messages that people can read. */
const codeOfNode = /^(ERR|Z)_/

/**
 * What people are told of an error: its message, unless Node wrote that for the author of the code. Then it is the kind
 * of error and the place; the log has the rest.
 */
export function messageForPeople(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { name, code, stack = '' } = error as NodeJS.ErrnoException
  if (!ofCode.test(name) && !codeOfNode.test(code ?? '')) return error.message
  const [, place] = /\n +at .*?([\w.-]+\.[cm]?[jt]s(?:\?linnet=\w+)?:\d+)/.exec(stack) ?? []
  return place === undefined ? `${name} in the code` : `${name} at ${place.replace(/\?.*:/, ':')}`
}

/** The stack of an error, without the `?linnet=` that tells versions of a plugin apart; undefined if there is none. */
export function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack?.replace(/\?linnet=\w+/g, '') : undefined
}
