import { Anchor, Button, Code, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  changePublicPage,
  type PublicPage,
  type PublicPageChange,
  publicPageQuery,
  publish,
  revokePublicPage,
} from '../../../api/analytics/public-numbers.ts'
import { CopyButton } from '../../../shared/copy/copy-button.tsx'
import { confirm } from '../../../shared/dialogs/confirm.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { texts } from '../../../texts.ts'
import classes from './public-page-form.module.css'

/** Creates the public page of a link, tag or campaign, switches it, names it and revokes it. */
export function PublicPageForm({ of }: { readonly of: string }) {
  const queryClient = useQueryClient()
  const query = publicPageQuery(of)
  const { data: page, error } = useQuery(query)
  const show = (page: PublicPage | null) => queryClient.setQueryData(query.queryKey, page)
  const make = useMutation({ mutationFn: () => publish(of), onSuccess: show })
  if (error && page === undefined) throw error
  if (page === undefined) return <Rows />
  return (
    <Stack>
      <Text size="sm">{analyticsTexts.publicLead}</Text>
      {page ? (
        <Made key={page.id} page={page} onChange={show} />
      ) : (
        <Group justify="end">
          <Button loading={make.isPending} onClick={() => make.mutate()}>
            {analyticsTexts.publish}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface MadeProps {
  readonly page: PublicPage
  onChange(page: PublicPage | null): void
}

function Made({ page, onChange }: MadeProps) {
  const [title, setTitle] = useState(page.title ?? '')
  const change = useMutation({
    mutationFn: (change: PublicPageChange) => changePublicPage(page.id, change),
    onSuccess: onChange,
  })
  const revoke = useMutation({
    mutationFn: () => revokePublicPage(page.id),
    onSuccess: () => onChange(null),
  })
  const given = title.trim() || null
  return (
    <>
      <div>
        <Text size="sm" fw={500}>
          {analyticsTexts.address}
        </Text>
        <Group wrap="nowrap" gap="xs">
          <Code className={classes.address}>{page.url}</Code>
          <CopyButton text={page.url} label={analyticsTexts.copyAddress} />
        </Group>
      </div>
      <Switch
        label={analyticsTexts.isOpen}
        description={analyticsTexts.isOpenHint}
        checked={page.open}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate({ open: currentTarget.checked })}
      />
      <form
        onSubmit={event => {
          event.preventDefault()
          change.mutate({ title: given })
        }}
      >
        <Group align="end" wrap="nowrap">
          <TextInput
            className={classes.title}
            label={analyticsTexts.heading}
            description={analyticsTexts.headingHint}
            maxLength={100}
            value={title}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={given === page.title}>
            {texts.common.save}
          </Button>
        </Group>
      </form>
      <Group justify="space-between">
        <Button
          variant="subtle"
          loading={revoke.isPending}
          onClick={() =>
            confirm({
              title: analyticsTexts.revokeAsk,
              text: analyticsTexts.revokeMeans,
              confirm: analyticsTexts.revoke,
              onConfirm: () => revoke.mutate(),
            })
          }
        >
          {analyticsTexts.revoke}
        </Button>
        {page.open && (
          <Anchor href={page.url} target="_blank" rel="noreferrer" size="sm">
            {analyticsTexts.openPage}
          </Anchor>
        )}
      </Group>
    </>
  )
}
