import { Avatar } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { Account } from '../../../api/admin-accounts.ts'
import { profileQuery } from '../../../api/profile.ts'
import { formatDate } from '../../../shared/format.ts'
import { Mark } from '../../../shared/mark.tsx'
import { DeleteItem, EditItem, RowMenu } from '../../../shared/row-menu.tsx'
import things from '../../../shared/things.module.css'
import { adminTexts } from '../../../texts/admin.ts'
import { planName } from '../plan-name.ts'
import classes from './account-row.module.css'

export interface AccountRowProps {
  readonly account: Account
  onEdit(): void
  onDelete(): void
}

/** An account: who it is, what it may do, and what can be done with it. */
export function AccountRow({ account, onEdit, onDelete }: AccountRowProps) {
  const { id, email, fullName, initials, avatarUrl, isAdmin, createdAt, plan } = account
  const { data: profile } = useSuspenseQuery(profileQuery)
  return (
    <li className={classes.row}>
      <Avatar radius="xl" color="linnet" src={avatarUrl} alt="" aria-hidden="true">
        {initials}
      </Avatar>
      <div className={things.what}>
        <div className={classes.who}>
          <span className={classes.name}>{fullName ?? email}</span>
          {isAdmin && <Mark color="linnet">{adminTexts.accounts.isAdmin}</Mark>}
          {id === profile.id && <Mark color="gray">{adminTexts.accounts.you}</Mark>}
        </div>
        <div className={`${things.about} ${classes.about}`}>
          {fullName && <span>{email}</span>}
          {createdAt && (
            <span className={classes.since}>
              {adminTexts.accounts.since(formatDate(createdAt))}
            </span>
          )}
        </div>
      </div>
      <span className={classes.plan}>{planName(plan)}</span>
      <RowMenu label={adminTexts.accounts.actionsOf(email)}>
        <EditItem onClick={onEdit} />
        <DeleteItem onClick={onDelete} />
      </RowMenu>
    </li>
  )
}
