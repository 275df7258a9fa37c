import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { identitiesQuery, removeIdentity } from '../../api/account/identities.ts'
import { IconKey } from '../../shared/icons/icons.ts'
import { notifyDone } from '../../shared/notices/notify.ts'
import { formatAgo, formatMoment } from '../../shared/text/format.ts'
import { settingsTexts } from '../../texts/settings.ts'
import { Section } from './section.tsx'
import classes from './sessions-section.module.css'

/** The providers that sign the account in, with buttons to remove them. Absent if there are none. */
export function IdentitiesSection() {
  const { data: identities = [] } = useQuery(identitiesQuery)
  const { remove, isPending } = useRemove()
  if (identities.length === 0) return null
  return (
    <Section heading={settingsTexts.identities} lead={settingsTexts.identitiesLead}>
      <ul className={classes.list}>
        {identities.map(({ id, issuer, createdAt, lastUsedAt }) => (
          <li key={id}>
            <IconKey size={22} stroke={1.5} aria-hidden="true" />
            <div className={classes.what}>
              <div>{issuer}</div>
              <div className={classes.when}>
                {settingsTexts.identityWhen(formatMoment(createdAt), formatAgo(lastUsedAt))}
              </div>
            </div>
            <Button
              variant="default"
              size="xs"
              disabled={isPending}
              aria-label={settingsTexts.removeIdentityOf(issuer)}
              onClick={() => remove(id)}
            >
              {settingsTexts.removeIdentity}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function useRemove() {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: removeIdentity,
    onSuccess: () => notifyDone(settingsTexts.identityRemoved),
    onSettled: () => queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey }),
  })
  return { remove: mutate, isPending }
}
