import { isUtf8 } from 'node:buffer'
import { openRegularFileSync, readToEndSync } from './files/regular-file.ts'

/** No setting is so long. */
const maxBytes = 1_048_576

/** The environment of a process. */
export type Env = Readonly<Record<string, string | undefined>>

/** A text and the name of the variable that gave it, so that messages name what was set. */
export interface Found {
  readonly text: string
  readonly from: string
}

/** A variable of the environment. */
interface Named {
  readonly name: string
  readonly alias?: string
  /** True: spaces at its ends may belong to it, as to a password. */
  readonly secret?: true
}

/**
 * What a variable was given: in `NAME`, in the file that `NAME_FILE` names (as container secrets are
 * mounted), or under its alias. An empty variable counts as not set.
 */
export function findText(
  { name, alias, secret }: Named,
  env: Env,
): Found | { readonly mistake: string } | undefined {
  const withoutEnds = (text: string) => (secret ? withoutLineEnd(text) : text.trim())
  const fileName = env[fileVariable(name)]
  if (fileName) {
    if (env[name]) {
      return { mistake: `${name} and ${fileVariable(name)} are both set: unset one of them.` }
    }
    return readFile(fileName, fileVariable(name), withoutEnds)
  }
  for (const from of alias ? [name, alias] : [name]) {
    const text = withoutEnds(env[from] ?? '')
    if (text) return { text, from }
  }
  return undefined
}

function readFile(
  path: string,
  from: string,
  withoutEnds: (text: string) => string,
): Found | { readonly mistake: string } {
  try {
    const content = readToEndSync(openRegularFileSync(path), maxBytes)
    if (!isUtf8(content)) throw new Error('it is not text in UTF-8')
    return { text: withoutEnds(content.toString()), from }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { mistake: `${from} cannot be read: ${reason}. Name a file that contains the value.` }
  }
}

/**
 * Editors on Windows write a byte order mark and end lines with `\r\n`, and a shell that reads such a file leaves `\r` in
 * the variable. Nobody can type these into a form.
 */
function withoutLineEnd(text: string): string {
  return text.replace(/^\uFEFF|(\r?\n|\r)$/g, '')
}

/** Every variable can be given as a file: the variable that names it. */
export function fileVariable(name: string): string {
  return `${name}_FILE`
}
