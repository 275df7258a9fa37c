import { readFileSync } from 'node:fs'

/** The environment of a process. */
export type Env = Readonly<Record<string, string | undefined>>

/** A text and the name of the variable that gave it, so that messages name what was set. */
export interface Found {
  readonly text: string
  readonly from: string
}

/**
 * What a variable was given: in `NAME`, in the file that `NAME_FILE` names (as container secrets are
 * mounted), or under its alias. An empty variable counts as not set.
 */
export function findText(
  { name, alias }: { readonly name: string; readonly alias?: string },
  env: Env,
): Found | { readonly mistake: string } | undefined {
  const fileName = env[fileVariable(name)]
  if (fileName) {
    if (env[name]) {
      return { mistake: `${name} and ${fileVariable(name)} are both set: unset one of them.` }
    }
    return readFile(fileName, fileVariable(name))
  }
  for (const from of alias ? [name, alias] : [name]) {
    const text = env[from]
    if (text) return { text, from }
  }
  return undefined
}

function readFile(path: string, from: string): Found | { readonly mistake: string } {
  try {
    // Editors on Windows write a byte order mark, which nobody can type into a form.
    return { text: readFileSync(path, 'utf8').replace(/^\uFEFF|\r?\n$/g, ''), from }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { mistake: `${from} cannot be read: ${reason}. Name a file that contains the value.` }
  }
}

/** Every variable can be given as a file: the variable that names it. */
export function fileVariable(name: string): string {
  return `${name}_FILE`
}
