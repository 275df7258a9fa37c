import { revokeToken, type Token, tokensKey } from '../../api/account/tokens.ts'
import { DeleteItem, EditItem, RowMenu } from '../../shared/lists/row-menu.tsx'
import things from '../../shared/lists/things.module.css'
import { useDelete } from '../../shared/lists/use-delete.ts'
import { formatAgo, formatDate, formatMoment } from '../../shared/text/format.ts'
import { tokensTexts } from '../../texts/tokens.ts'
import { describeScope } from './scopes.ts'
import { isExpired } from './token-expiry.ts'
import classes from './token-row.module.css'

export interface TokenRowProps {
  readonly token: Token
  /** Undefined if tokens cannot be changed. */
  readonly onEdit: (() => void) | undefined
}

/** What is known of a token: its first characters, its scopes, when it was last used. */
export function TokenRow({ token, onEdit }: TokenRowProps) {
  const { name, tokenPrefix, scopes } = token
  return (
    <li className={classes.row}>
      <div className={things.what}>
        <div className={things.name}>
          <span>{name}</span>
          <code className={classes.prefix}>{tokenPrefix}…</code>
        </div>
        <ul className={classes.scopes}>
          {scopes.map(scope => (
            <li key={scope}>{describeScope(scope)}</li>
          ))}
        </ul>
      </div>
      <Times token={token} />
      <TokenMenu token={token} onEdit={onEdit} />
    </li>
  )
}

function Times({ token }: { readonly token: Token }) {
  const { lastUsedAt, expiresAt, createdAt } = token
  const { used, unused, expiresAt: expires, expiredAt, expiresNever } = tokensTexts
  return (
    <div className={classes.times} title={tokensTexts.made(formatMoment(createdAt))}>
      <div>{lastUsedAt ? used(formatAgo(lastUsedAt)) : unused}</div>
      {expiresAt === null ? (
        <div>{expiresNever}</div>
      ) : isExpired(token) ? (
        <div data-over>{expiredAt(formatDate(expiresAt))}</div>
      ) : (
        <div>{expires(formatDate(expiresAt))}</div>
      )}
      <div>{tokensTexts.made(formatDate(createdAt))}</div>
    </div>
  )
}

function TokenMenu({ token, onEdit }: TokenRowProps) {
  return (
    <RowMenu label={tokensTexts.actionsOf(token.name)}>
      <EditItem onClick={onEdit} />
      <DeleteItem label={tokensTexts.revoke} onClick={useRevoke(token)} />
    </RowMenu>
  )
}

function useRevoke({ id, name }: Token): () => void {
  return useDelete({
    title: tokensTexts.revokeHeading(name),
    text: tokensTexts.revokeWarning,
    confirm: tokensTexts.revoke,
    send: () => revokeToken(id),
    done: tokensTexts.revoked(name),
    changes: [tokensKey],
  })
}
