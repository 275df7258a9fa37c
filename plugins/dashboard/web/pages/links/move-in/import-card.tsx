import { Alert, Button, FileButton, Progress, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { said } from '../../../api/client/said.ts'
import {
  goOnWithImport,
  type Import,
  type ImportSource,
  importQuery,
  importReportAddress,
  importRowsQuery,
  importsKey,
  sendImportFile,
  stopImport,
} from '../../../api/links/imports.ts'
import { FieldControl } from '../../../shared/fields/controls/field-control.tsx'
import { IconAlertCircle, IconDownload, IconFileImport } from '../../../shared/icons/icons.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import { MoreButton } from '../../../shared/lists/more-button.tsx'
import { moveInTexts } from '../../../texts/many.ts'
import { texts } from '../../../texts.ts'
import classes from '../import/import.module.css'
import { ScrollingTable } from '../import/scrolling-table.tsx'
import type { Chosen } from './choose-source.tsx'
import { stateOf, sumsOf } from './said-of-import.ts'
import { fieldsOf, settingsOf, startOf } from './source-fields.ts'

export interface ImportCardProps {
  readonly first: Import
  readonly source: ImportSource | undefined
  readonly chosen: Chosen | undefined
  onAgain(): void
}

/** An import: its file that is sent, how far it is, and what became of it. */
export function ImportCard({ first, source, chosen, onAgain }: ImportCardProps) {
  const queryClient = useQueryClient()
  const { data: run = first } = useQuery({ ...importQuery(first.id), initialData: first })
  const [sent, setSent] = useState<number>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: importsKey })
  const send = useMutation({
    mutationFn: (file: File) => sendImportFile(run.id, file, setSent),
    onSettled: () => {
      setSent(undefined)
      return refresh()
    },
  })
  const stop = useMutation({ mutationFn: () => stopImport(run.id), onSettled: refresh })
  const secrets = source?.settings.filter(it => it.isSecret) ?? []
  const [values, setValues] = useState(() => ({
    ...(source && startOf(source)),
    ...run.settings,
    ...chosen?.settings,
  }))
  const goOn = useMutation({
    mutationFn: () =>
      goOnWithImport(
        run.id,
        source && secrets.length > 0 ? { settings: settingsOf(source, values) } : {},
      ),
    onSuccess: next => {
      queryClient.setQueryData(importQuery(run.id).queryKey, next)
      if (next.state === 'waiting' && chosen?.file) send.mutate(chosen.file)
    },
  })
  useOnce(() => {
    if (first.state === 'waiting' && chosen?.file) send.mutate(chosen.file)
  })
  // Lists of links show what came.
  const hasEnded = run.state !== 'running' && run.state !== 'waiting'
  useEffect(() => {
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: ['links'] })
  }, [hasEnded, queryClient])
  // What was tried and could not be read cannot be imported.
  const canGoOn = hasEnded && (run.isDry ? run.state !== 'failed' : run.state !== 'done')
  const refusal = source?.file?.refusal
  const sentence = (run.state === 'waiting' && refusal) || run.sentence
  const asksAgain = canGoOn && !chosen && source ? fieldsOf(source).filter(isOneOf(secrets)) : []

  return (
    <div className={classes.preview}>
      <section className={classes.card} aria-labelledby="import-state">
        <Title order={2} id="import-state">
          {source?.label ?? run.source}: {sent === undefined ? stateOf(run) : moveInTexts.sending}
        </Title>
        {!hasEnded && <Bar run={run} sent={sent} />}
        <p role="status">{sumsOf(run)}</p>
        {sentence && (
          <Alert color="linnet" variant="light" icon={<IconAlertCircle size={18} />} role="alert">
            {said(sentence)}
          </Alert>
        )}
        {asksAgain.map(field => (
          <FieldControl
            key={field.name}
            field={field}
            value={values[field.name]}
            errors={{}}
            onChange={value => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <div className={classes.buttons}>
          {run.state === 'waiting' && sent === undefined && !refusal && (
            <FileButton onChange={file => file && send.mutate(file)}>
              {props => (
                <Button {...props} leftSection={<IconFileImport size={18} />}>
                  {moveInTexts.chooseFile}
                </Button>
              )}
            </FileButton>
          )}
          {!hasEnded && (
            <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
              {moveInTexts.stop}
            </Button>
          )}
          {canGoOn && (
            <Button loading={goOn.isPending} onClick={() => goOn.mutate()}>
              {run.isDry ? moveInTexts.importNow : moveInTexts.goOn}
            </Button>
          )}
          {hasEnded && (
            <>
              <Button
                variant="default"
                leftSection={<IconDownload size={17} />}
                component="a"
                href={importReportAddress(run.id)}
                download
              >
                {moveInTexts.report}
              </Button>
              <Button variant="default" onClick={onAgain}>
                {moveInTexts.again}
              </Button>
              <Button variant="default" renderRoot={props => <Link {...props} to="/links" />}>
                {texts.newLink.toLinks}
              </Button>
            </>
          )}
        </div>
      </section>
      {hasEnded && <Report id={run.id} />}
    </div>
  )
}

function Bar({ run, sent }: { readonly run: Import; readonly sent: number | undefined }) {
  const { file, progress } = run
  const share = sent ?? (file && file.bytes > 0 ? progress.bytesRead / file.bytes : undefined)
  const isKnown = share !== undefined && share < 1
  return (
    <Progress.Root>
      <Progress.Section
        value={isKnown ? 100 * share : 100}
        animated={!isKnown}
        aria-label={sent === undefined ? moveInTexts.progress : moveInTexts.sending}
      />
    </Progress.Root>
  )
}

/** What did not come as it was. */
function Report({ id }: { readonly id: string }) {
  const { data, ...paging } = useInfiniteQuery(importRowsQuery(id))
  if (!data || data.total === 0) return null
  return (
    <div className={classes.card}>
      <Title order={2}>{moveInTexts.reportHeading}</Title>
      <ScrollingTable
        label={moveInTexts.reportHeading}
        heads={[moveInTexts.outcome]}
        lastHead={moveInTexts.why}
      >
        {data.items.map(({ row, outcome, sentence }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
          <tr key={index}>
            <td>{row}</td>
            <td>
              <Mark miw="max-content" color={colors[outcome]}>
                {moveInTexts.outcomes[outcome]}
              </Mark>
            </td>
            <td>{sentence}</td>
          </tr>
        ))}
      </ScrollingTable>
      <MoreButton {...paging} />
    </div>
  )
}

const colors = { refused: 'red', changed: 'yellow', kept: 'gray', note: 'blue' } as const

function isOneOf(settings: readonly { readonly name: string }[]) {
  return ({ name }: { readonly name: string }) => settings.some(it => it.name === name)
}

/** Runs `begin` once, although React runs effects twice during development. */
function useOnce(begin: () => unknown): void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    begin()
  })
}
