import { ActionIcon, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { revokeToken, type Token, tokensKey } from '../../api/tokens.ts'
import { confirm } from '../../shared/confirm.ts'
import { formatAgo, formatDate, formatMoment } from '../../shared/format.ts'
import { IconDots, IconPencil, IconTrash } from '../../shared/icons.ts'
import { notifyDone } from '../../shared/notify.ts'
import things from '../../shared/things.module.css'
import { texts } from '../../texts.ts'
import { describeScope } from './scopes.ts'
import { isExpired } from './token-expiry.ts'
import classes from './token-row.module.css'

export interface TokenRowProps {
  readonly token: Token
  /** Missing where tokens cannot be changed. */
  readonly onEdit?: (token: Token) => void
}

/** A token by what is known of it: its beginning, what it may do, when it was used. */
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
      <TokenMenu token={token} {...(onEdit && { onEdit })} />
    </li>
  )
}

function Times({ token }: { readonly token: Token }) {
  const { lastUsedAt, expiresAt, createdAt } = token
  const { used, unused, expiresAt: expires, expiredAt, expiresNever } = texts.tokens
  return (
    <div className={classes.times} title={texts.tokens.made(formatMoment(createdAt))}>
      <div>{lastUsedAt ? used(formatAgo(lastUsedAt)) : unused}</div>
      {expiresAt === null ? (
        <div>{expiresNever}</div>
      ) : isExpired(token) ? (
        <div data-over>{expiredAt(formatDate(expiresAt))}</div>
      ) : (
        <div>{expires(formatDate(expiresAt))}</div>
      )}
      <div>{texts.tokens.made(formatDate(createdAt))}</div>
    </div>
  )
}

function TokenMenu({ token, onEdit }: TokenRowProps) {
  const { name } = token
  const revoke = useRevoke(token)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          size="lg"
          aria-label={texts.tokens.actionsOf(name)}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEdit && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onEdit(token)}>
            {texts.common.edit}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={revoke}>
          {texts.tokens.revoke}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function useRevoke({ id, name }: Token): () => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => revokeToken(id),
    async onSuccess() {
      notifyDone(texts.tokens.revoked(name))
      await queryClient.invalidateQueries({ queryKey: tokensKey })
    },
  })
  return () =>
    confirm({
      title: texts.tokens.revokeHeading(name),
      text: texts.tokens.revokeWarning,
      confirm: texts.tokens.revoke,
      onConfirm: mutate,
    })
}
