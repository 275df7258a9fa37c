import { CommanderError } from 'commander'
import {
  ConnectionError,
  ForbiddenError,
  LinnetError,
  ProblemError,
  RateLimitError,
  UnauthenticatedError,
  UnexpectedAnswerError,
} from '../client/linnet.ts'
import { sentenceOfFile } from '../core/lib/message-for-people.ts'
import { showHidden } from '../core/lib/text/shown.ts'
import { UserError } from '../core/lib/user-error.ts'

/** How a command ends. Those from 69 on are of sysexits.h; docs/command-line.md explains all. */
export const exits = {
  done: 0,
  /** The request was refused, or the command was typed wrongly. */
  refused: 1,
  /** No Linnet could be reached. */
  unreachable: 69,
  bug: 70,
  /** The server is too busy; the same command may work later. */
  busy: 75,
  /** The token is not valid, or does not allow it. */
  denied: 77,
  interrupted: 130,
} as const

interface Told {
  readonly message: string
  readonly code: number
}

/** What went wrong, for people, and the code for programs; undefined for a bug. */
export function tellFailure(error: unknown, url: string | undefined): Told | undefined {
  if (error instanceof CommanderError) return { message: '', code: error.exitCode }
  const told = sentenceOf(error, url)
  // What a server says may steer the terminal.
  return told && { ...told, message: told.message.split('\n').map(showHidden).join('\n') }
}

function sentenceOf(error: unknown, url = 'the server'): Told | undefined {
  if (error instanceof Interrupted) return { message: error.message, code: exits.interrupted }
  if (error instanceof UserError) return { message: error.message, code: exits.refused }
  if (error instanceof UnauthenticatedError) {
    const remedy = `Log in again: linnet login ${url}`
    return { message: `The token is not valid. ${remedy}`, code: exits.denied }
  }
  if (error instanceof ForbiddenError) return { message: linesOf(error), code: exits.denied }
  if (error instanceof RateLimitError || (error instanceof LinnetError && isBusy(error))) {
    return { message: `${error.message} Run it again later.`, code: exits.busy }
  }
  if (error instanceof ProblemError) return { message: linesOf(error), code: exits.refused }
  if (error instanceof ConnectionError) {
    return { message: whyUnreachable(error, url), code: exits.unreachable }
  }
  if (error instanceof UnexpectedAnswerError) {
    return { message: error.message, code: exits.unreachable }
  }
  const ofFile = sentenceOfFile(error)
  return ofFile === undefined ? undefined : { message: ofFile, code: exits.refused }
}

/** Somebody pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

function isBusy(error: LinnetError): boolean {
  const { status } = error as Partial<ProblemError>
  return status !== undefined && [429, 502, 503, 504].includes(status)
}

function linesOf({ problem }: ProblemError): string {
  return sentencesOf(problem).join('\n')
}

/** What a refusal says: a sentence about each wrong field, named as it is typed. */
export function sentencesOf({
  detail,
  errors,
}: Pick<ProblemError['problem'], 'detail' | 'errors'>): readonly string[] {
  if (errors.length === 0) return [showHidden(detail)]
  return errors.map(({ field, message }) => showHidden(`${field.replaceAll('_', '-')}: ${message}`))
}

/** Errors of certificates in Node, with what is wrong. */
const untrusted: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it was signed by nobody but itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'it was signed by an authority that this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it was signed by an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'it was signed by an authority that this machine does not know',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet: compare the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
}

function whyUnreachable(error: ConnectionError, url: string): string {
  const code = codeOf(error)
  const wrong = code === undefined ? undefined : untrusted[code]
  if (wrong === undefined) {
    return code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO'
      ? `${url} does not speak TLS. If it has only http, log in with http://.`
      : error.message
  }
  const remedy = wrong.includes('signed')
    ? ' If it is your own, name the file with the certificate of its authority: NODE_EXTRA_CA_CERTS=/path/ca.pem'
    : ''
  return `The certificate of ${url} is not trusted: ${wrong}.${remedy}`
}

/** The code of the first error behind it that has one. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as NodeJS.ErrnoException
  if (code !== undefined) return code
  return codeOf(error instanceof AggregateError ? error.errors[0] : cause)
}
