import type { ProblemCode } from '../core/settings/contract.ts'

/**
 * Every problem (RFC 9457) that Linnet and its own plugins answer with. docs/problems.md and OpenAPI are generated from
 * it, and a test makes sure that the sources use no other code: add new ones here first. A code never changes its
 * meaning.
 */
export const problemCodes = {
  malformed_request: [400, 'The request is not valid HTTP, or has no `Host` header.'],
  malformed_json: [400, 'The body is not JSON in UTF-8, is incomplete, or is nested too deeply.'],
  malformed_form: [400, 'The body is not a valid form with files (`multipart/form-data`).'],
  unauthenticated: [
    401,
    'The request has neither a token nor a session, or the account no longer exists.',
  ],
  invalid_token: [401, 'The API token is unknown, expired or revoked.'],
  invalid_credentials: [401, 'The e-mail address or the password is wrong.'],
  second_step_required: [
    401,
    'The account needs a second step: send the answer to the question in `step` with `ticket` to `POST /session/step`, or to `POST /session/proof` if that asked.',
  ],
  insufficient_scope: [
    403,
    'The token lacks the scope `requiredScope`, or only admins may do this.',
  ],
  feature_not_in_plan: [403, 'The plan does not include `features`.'],
  feature_disabled: [403, '`features`, or creating links at all, is switched off for everyone.'],
  plan_limit_reached: [
    403,
    'The plan allows `limit` of what `limitName` counts, and you have `used`.',
  ],
  limit_reached: [403, 'The instance allows `limit` of these, and `used` exist.'],
  cross_site_request: [403, 'A change with the session cookie came from a page of another site.'],
  session_required: [403, 'A token cannot do this: it needs a session.'],
  fresh_sign_in_required: [
    403,
    'The session was proven too long ago, or without a second step: prove it again with `POST /session/proof`, or by the provider.',
  ],
  domain_not_allowed: [
    403,
    'A provider named somebody whose address is in no domain that the operator allows, or is not verified.',
  ],
  group_not_allowed: [
    403,
    'A provider named somebody who is in no group that the operator allows.',
  ],
  no_account: [403, 'A provider named somebody who has no account here.'],
  not_proven: [403, 'A provider did not ask again who is signed in.'],
  other_account: [403, 'A provider named somebody else than the owner of the session.'],
  passwords_off: [403, 'The account does not sign in by password, but by another server.'],
  provider_refused: [403, 'A provider signed nobody in.'],
  sign_in_expired: [
    403,
    'The sign-in at a provider took longer than ten minutes, was finished already, or began in another browser.',
  ],
  password_required: [
    403,
    'This needs your current password where it can be sent: for a token that may do everything or what admins do, create one; for a backup, ask for a download link.',
  ],
  invalid_code: [403, 'This is not the setup code from the log.'],
  invalid_one_time_link: [
    403,
    'The one-time link was used, revoked or replaced, has expired, or never existed.',
  ],
  answer_needed: [403, 'The link first asks its visitor something.'],
  not_shown: [
    403,
    'The link has a limited number of visits, so only opening it shows where it leads.',
  ],
  target_not_allowed: [
    403,
    'The link leads to an address with a scheme that `LINNET_TARGET_SCHEMES` does not allow now.',
  ],
  not_found: [404, 'It does not exist, or is not yours.'],
  not_started: [404, 'The link is not open yet.'],
  method_not_allowed: [405, 'The header `Allow` lists the methods that are allowed.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  short_code_taken: [409, 'Another link on this host has the short code, or it is reserved.'],
  external_id_taken: [409, 'Another link of the account has the external id.'],
  codes_collide: [
    409,
    'By these rules, the `codes` of different links would be the same, or could not be followed.',
  ],
  name_taken: [409, 'You already have a tag or campaign with this name.'],
  key_taken: [409, 'Another account has the key of another program already.'],
  email_taken: [409, 'Another account has the e-mail address.'],
  plan_taken: [409, 'Another plan has the slug.'],
  plan_retired: [409, 'The plan takes no more accounts.'],
  plan_in_use: [
    409,
    'The plan is the default, is not retired, or has accounts: `detail` says which.',
  ],
  host_taken: [
    409,
    'You already have the domain, or another account still proves that it is theirs.',
  ],
  domain_in_use: [409, 'There are `links` on the domain.'],
  not_verified: [409, 'The proof that the host is yours was not found.'],
  idempotency_key_reused: [409, 'The `Idempotency-Key` was sent with a different request.'],
  request_in_progress: [
    409,
    'A request with the `Idempotency-Key` is still running: repeat it after `Retry-After`.',
  ],
  outcome_unknown: [
    409,
    'A request with the `Idempotency-Key` was interrupted: check whether it took effect.',
  ],
  changed_meanwhile: [
    409,
    'The account was changed at the same moment, or something that the request refers to was deleted.',
  ],
  own_account: [
    409,
    'An admin cannot do this to their own account: see `PATCH /profile/password`, or ask another admin.',
  ],
  last_way_in: [409, 'Nothing else signs this account in.'],
  last_admin: [409, 'This is the only admin of the instance.'],
  file_under_way: [409, 'Another file of the account is being sent.'],
  import_running: [409, 'Another import of the account has not ended, or this one runs.'],
  import_ended: [409, 'The import has ended, or waits for no file.'],
  job_running: [409, 'The job is already running.'],
  backup_running: [409, 'A backup is already running.'],
  backup_unusable: [409, 'The backup cannot be restored; `detail` says why.'],
  not_supported: [409, 'The database is not a file that Linnet can copy.'],
  plugin_broken: [409, 'The plugin cannot be loaded, or its settings are invalid.'],
  plugin_install_off: [
    409,
    'Plugins can only be installed over the API if `LINNET_PLUGIN_INSTALL` is 1.',
  ],
  mail_off: [409, 'No running plugin sends mail.'],
  notices_off: [
    409,
    'No running plugin delivers notices, or none took this one; `detail` says which.',
  ],
  plugin_index_unusable: [409, 'The index of plugins cannot be read; `detail` says why.'],
  plugin_unusable: [
    409,
    'The plugin was not installed or removed; `detail` says why. Nothing has changed.',
  ],
  set_up_failed: [
    409,
    'The plugin could not be set up; `detail` says why. It runs as before, and nothing has changed.',
  ],
  needs_unmet: [409, 'A plugin that this one needs is off.'],
  needed: [409, 'A plugin that is on needs this one.'],
  fixed_by_environment: [409, 'The environment variable `PLUGINS` decides which plugins are on.'],
  webhook_off: [409, 'The webhook is switched off.'],
  already_public: [409, 'These numbers have a public page already.'],
  second_factor_on: [409, 'The account has a second factor already.'],
  second_factor_off: [409, 'The account has no second factor.'],
  cannot_be_undone: [409, 'The audit log does not have what was there before.'],
  audit_log_broken: [409, 'The audit log is not what was written.'],
  expired: [410, 'The link has expired.'],
  exhausted: [410, 'The link has reached its maximum number of visits.'],
  stale: [412, 'It has changed since you read it: `If-Match` does not match.'],
  payload_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [
    415,
    'The body is not `application/json`, is not in UTF-8, or is compressed.',
  ],
  expectation_failed: [417, 'The only supported value of `Expect` is `100-continue`.'],
  misdirected: [421, 'The instance does not answer for this host.'],
  validation_failed: [422, 'Fields of the request are invalid: `errors` lists each.'],
  mail_invalid: [
    422,
    'The mail has no valid address, subject or text; `detail` says what is wrong.',
  ],
  notice_invalid: [
    422,
    'The notice has no valid title, text, level or recipient; `detail` says what is wrong.',
  ],
  mail_refused: [422, 'The mail server does not take this mail; `detail` has its answer.'],
  wrong_answer: [422, 'The answer to a second step is wrong; `detail` says why.'],
  invalid_ticket: [
    422,
    'The ticket of a second step was used, has expired, is for another session, or the password was changed: sign in again.',
  ],
  wrong_password: [422, 'The current password is wrong or missing.'],
  unsafe_url: [422, 'The URL is known to be harmful, or looks like another.'],
  too_many_requests: [429, 'Too many attempts: wait for the time in `Retry-After`.'],
  headers_too_large: [431, 'The headers are larger than 16 KiB, or there are more than 100.'],
  blocked: [451, 'The link leads to a URL that is known to be harmful.'],
  internal: [500, 'A bug in Linnet or a plugin: report it with the `requestId`.'],
  sign_in_failed: [502, 'A provider could not be asked, or did not answer as it should.'],
  second_step_unavailable: [
    503,
    'The account needs a second step of a plugin that is off or failed; the log says which.',
  ],
  mail_failed: [502, 'The mail could not be sent; the log says why.'],
  unavailable: [
    503,
    'The server is too busy, or a part it depends on does not respond: repeat the request later, after `Retry-After` if present.',
  ],
} as const satisfies Readonly<Record<string, ProblemCode>>
