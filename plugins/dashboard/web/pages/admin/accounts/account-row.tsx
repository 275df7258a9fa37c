import { Avatar, Menu } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../../../api/account/profile.ts'
import { sessionQuery } from '../../../api/account/session.ts'
import type { ListedAccount } from '../../../api/admin/accounts.ts'
import {
  IconArrowRight,
  IconDeviceDesktop,
  IconKey,
  IconLock,
  IconWorld,
} from '../../../shared/icons/icons.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import { DeleteItem, EditItem, RowMenu } from '../../../shared/lists/row-menu.tsx'
import things from '../../../shared/lists/things.module.css'
import { formatAgo, formatDate, formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { oneTimeLinkTexts } from '../../../texts/one-time-link.ts'
import { settingsTexts } from '../../../texts/settings.ts'
import { usePlanName } from '../use-plan-choices.ts'
import classes from './account-row.module.css'

export interface AccountRowProps {
  readonly account: ListedAccount
  onEdit(): void
  onLink(): void
  onIdentities(): void
  onAccess(): void
  onHandOver(): void
  onSuspend(): void
  onDelete(): void
}

const words = adminTexts.accounts

/** An account: who it is, what it may do, and the actions for it. */
export function AccountRow({
  account,
  onEdit,
  onLink,
  onIdentities,
  onAccess,
  onHandOver,
  onSuspend,
  onDelete,
}: AccountRowProps) {
  const { id, email, fullName, initials, avatarUrl, isAdmin, createdAt, plan } = account
  const { usage, lastSeenAt, signedInAt, linksCount, suspendedAt } = account
  const planName = usePlanName(plan)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: session } = useQuery(sessionQuery)
  return (
    <li className={classes.row}>
      <Avatar radius="xl" color="linnet" src={avatarUrl} alt="" aria-hidden="true">
        {initials}
      </Avatar>
      <div className={things.what}>
        <div className={classes.who}>
          <span className={classes.name}>{fullName ?? email}</span>
          {isAdmin && <Mark color="linnet">{words.isAdmin}</Mark>}
          {suspendedAt && <Mark color="red">{words.isSuspended}</Mark>}
          {id === profile.id && <Mark color="gray">{words.you}</Mark>}
          <LinkMark account={account} />
        </div>
        <div className={`${things.about} ${classes.about}`}>
          {fullName && <span>{email}</span>}
          <span>{words.has(words.links(linksCount, formatNumber(linksCount)))}</span>
          <span>{uses(usage)}</span>
          {lastSeenAt && <span>{words.lastSeen(formatAgo(lastSeenAt))}</span>}
          {signedInAt && <span>{words.signedIn(formatAgo(signedInAt))}</span>}
          {createdAt && <span className={classes.since}>{words.since(formatDate(createdAt))}</span>}
        </div>
      </div>
      <span className={classes.plan}>{planName}</span>
      <RowMenu label={words.actionsOf(email)}>
        <EditItem onClick={onEdit} />
        {id !== profile.id && (
          <Menu.Item leftSection={<IconKey size={16} />} onClick={onLink}>
            {account.hasPassword ? oneTimeLinkTexts.renew : oneTimeLinkTexts.invite}
          </Menu.Item>
        )}
        {session && session.providers.length > 0 && (
          <Menu.Item leftSection={<IconWorld size={16} />} onClick={onIdentities}>
            {settingsTexts.identities}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconDeviceDesktop size={16} />} onClick={onAccess}>
          {words.access}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowRight size={16} />} onClick={onHandOver}>
          {words.handOver}
        </Menu.Item>
        {id !== profile.id && (
          <Menu.Item leftSection={<IconLock size={16} />} onClick={onSuspend}>
            {suspendedAt ? words.suspension : words.suspend}
          </Menu.Item>
        )}
        <DeleteItem onClick={onDelete} />
      </RowMenu>
    </li>
  )
}

/** Whether the owner still has to choose the password. */
function LinkMark({ account: { hasPassword, oneTimeLink } }: Pick<AccountRowProps, 'account'>) {
  if (oneTimeLink) {
    const until = hasPassword ? oneTimeLinkTexts.renewedUntil : oneTimeLinkTexts.invitedUntil
    return <Mark color="gray">{until(formatDate(oneTimeLink.expiresAt))}</Mark>
  }
  return hasPassword ? null : <Mark color="yellow">{oneTimeLinkTexts.noPassword}</Mark>
}

function uses({ linksCreatedThisMonth, visitsTrackedThisMonth }: ListedAccount['usage']): string {
  return words.uses(
    words.links(linksCreatedThisMonth, formatNumber(linksCreatedThisMonth)),
    words.visits(visitsTrackedThisMonth, formatNumber(visitsTrackedThisMonth)),
  )
}
