/** Something the user can mend: the message says what and how; it is shown without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError'
}
