/** An error that the user can correct. The message says how, and is shown without a stack. */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}
