/** The server's texts in a language other than English. */
export interface ServerTexts {
  /** By the English sentence, with `{}` for each value that the server inserts, such as labels or field errors. */
  readonly sentences: Readonly<Record<string, string>>
  /** By the code of a problem, for problems whose sentence is not listed. */
  readonly problems: Readonly<Record<string, string>>
}
