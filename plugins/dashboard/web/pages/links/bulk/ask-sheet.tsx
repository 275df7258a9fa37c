import { Button, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { drawSheet, mostOfSheet, type Sheet } from '../../../api/links/qr.ts'
import { saveFile } from '../../../shared/copy/save-file.ts'
import { openDialog } from '../../../shared/dialogs/open-dialog.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { messageOf } from '../../../shared/notices/notify.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { qrTexts } from '../../../texts/qr.ts'
import { type Chosen, countOf, linksOf } from './chosen.ts'

/** Columns and rows of a page, by the number of codes on it. */
const grids = {
  '1': { columns: 1, rows: 1 },
  '6': { columns: 2, rows: 3 },
  '12': { columns: 3, rows: 4 },
  '20': { columns: 4, rows: 5 },
  '40': { columns: 5, rows: 8 },
} as const

type PerPage = keyof typeof grids
type Paper = NonNullable<Sheet['paper']>

/** Asks how to print the QR codes of links, and saves the sheet. */
export function askSheet(chosen: Chosen): void {
  const count = countOf(chosen)
  openDialog(qrTexts.printHeading(count, formatNumber(count)), close => (
    <SheetForm chosen={chosen} onDone={close} />
  ))
}

function SheetForm({ chosen, onDone }: { readonly chosen: Chosen; onDone(): void }) {
  const [paper, setPaper] = useState<Paper>('a4')
  const [perPage, setPerPage] = useState<PerPage>('12')
  const { mutate, isPending, error } = useMutation({
    meta: { showsProblem: true },
    async mutationFn() {
      const links = await linksOf(chosen, new AbortController().signal)
      const linkIds = links.map(({ id }) => id)
      saveFile(await drawSheet({ link_ids: linkIds, paper, ...grids[perPage] }), 'qr-codes.pdf')
    },
    onSuccess: onDone,
  })
  const isTooMany = countOf(chosen) > mostOfSheet
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem
          problem={
            isTooMany ? qrTexts.tooMany(formatNumber(mostOfSheet)) : error && messageOf(error)
          }
        />
        <Text size="sm">{qrTexts.printLead}</Text>
        <SegmentedControl
          aria-label={qrTexts.paper}
          value={paper}
          onChange={setPaper}
          data={(['a4', 'letter'] as const).map(value => ({
            value,
            label: qrTexts.papers[value],
          }))}
        />
        <Select
          label={qrTexts.perPage}
          data={Object.keys(grids)}
          value={perPage}
          onChange={value => value && setPerPage(value as PerPage)}
          allowDeselect={false}
        />
        <Button type="submit" loading={isPending} disabled={isTooMany}>
          {qrTexts.download}
        </Button>
      </Stack>
    </form>
  )
}
