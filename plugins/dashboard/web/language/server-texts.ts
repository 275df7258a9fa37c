/** What the server says, in another language than English. */
export interface ServerTexts {
  /** By what it says in English, `{}` for what it puts in: labels of its plugins, what is wrong with a field. */
  readonly sentences: Readonly<Record<string, string>>
  /** By the code of a problem whose sentence is not among them. */
  readonly problems: Readonly<Record<string, string>>
}
