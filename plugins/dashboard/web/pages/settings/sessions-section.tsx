import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endSession, type Session, sessionsQuery } from '../../api/account/sessions.ts'
import { locale } from '../../language/language.ts'
import { IconDeviceDesktop } from '../../shared/icons/icons.ts'
import { Rows } from '../../shared/lists/rows.tsx'
import { notifyDone } from '../../shared/notices/notify.ts'
import { TryAgain } from '../../shared/notices/try-again.tsx'
import { formatAgo, formatMoment } from '../../shared/text/format.ts'
import { settingsTexts, signInTexts } from '../../texts/settings.ts'
import { Section } from './section.tsx'
import classes from './sessions-section.module.css'

/** The sessions of the account, with buttons to end the others. */
export function SessionsSection() {
  const {
    data: sessions,
    error,
    refetch,
  } = useQuery({ ...sessionsQuery, refetchOnMount: 'always' })
  const { end, isPending } = useEnd()
  const here = sessions?.filter(({ isCurrent }) => isCurrent) ?? []
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <Section heading={settingsTexts.sessions} lead={settingsTexts.sessionsLead}>
      {!sessions ? (
        error ? (
          <TryAgain error={error} onRetry={refetch} />
        ) : (
          <Rows />
        )
      ) : (
        <ul className={classes.list}>
          {[...here, ...others].map(session => (
            <SessionRow
              key={session.id}
              session={session}
              isPending={isPending}
              onEnd={() => end([session])}
            />
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <Group mt="lg">
          <Button variant="default" loading={isPending} onClick={() => end(others)}>
            {settingsTexts.endOthers}
          </Button>
        </Group>
      )}
    </Section>
  )
}

interface SessionRowProps {
  readonly session: Session
  readonly isPending: boolean
  onEnd(): void
}

function SessionRow({ session, isPending, onEnd }: SessionRowProps) {
  const { isCurrent, createdAt, lastSeenAt } = session
  const when = [
    settingsTexts.signedIn(formatMoment(createdAt)),
    ...howSaid(session),
    ...(isCurrent ? [] : [settingsTexts.lastSeen(formatAgo(lastSeenAt))]),
  ]
  return (
    <li>
      <IconDeviceDesktop size={22} stroke={1.5} aria-hidden="true" />
      <div className={classes.what}>
        <div>{isCurrent ? settingsTexts.thisSession : settingsTexts.session}</div>
        <div className={classes.when}>{when.join(' · ')}</div>
      </div>
      {!isCurrent && (
        <Button
          variant="default"
          size="xs"
          disabled={isPending}
          aria-label={settingsTexts.endOf(formatMoment(createdAt))}
          onClick={onEnd}
        >
          {settingsTexts.end}
        </Button>
      )}
    </li>
  )
}

/** How it was proven whose session it is, and when again since it began. */
function howSaid({ methods, createdAt, authenticatedAt }: Session): readonly string[] {
  const names: Readonly<Record<string, string>> = signInTexts.methods
  const known = methods.map(it => (Object.hasOwn(names, it) ? names[it] : undefined) ?? it)
  const laterMs = Date.parse(authenticatedAt) - Date.parse(createdAt)
  return [
    ...(known.length > 0 ? [signInTexts.by(all.format(known))] : []),
    ...(laterMs >= 60_000 ? [signInTexts.provenAt(formatMoment(authenticatedAt))] : []),
  ]
}

const all = new Intl.ListFormat(locale, { type: 'conjunction' })

function useEnd() {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (sessions: readonly Session[]) =>
      Promise.all(sessions.map(({ id }) => endSession(id))),
    onSuccess: ended =>
      notifyDone(ended.length === 1 ? settingsTexts.ended : settingsTexts.othersEnded),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  return { end: mutate, isPending }
}
