import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { main } from '../../../api/instance/manifest.ts'
import { Page } from '../../../shared/page/page.tsx'
import { manyTexts } from '../../../texts/many.ts'
import { Choose } from './choose.tsx'
import type { Planned } from './plan.ts'
import { Preview } from './preview.tsx'
import { readTable, type Table } from './read-table.ts'
import { Running } from './running.tsx'

/** Creates many links: enter them, check the preview, and start. */
export function ImportPage() {
  const pasted = useLocation({ select: ({ state }) => state.pasted ?? '' })
  const [text, setText] = useState(pasted)
  const [table, setTable] = useState<Table | undefined>(
    () => (pasted && readTable(pasted, main.schemes)) || undefined,
  )
  const [planned, setPlanned] = useState<readonly Planned[]>()
  const again = () => {
    setText('')
    setTable(undefined)
    setPlanned(undefined)
  }

  return (
    <Page title={manyTexts.title} lead={manyTexts.lead}>
      {!table && <Choose text={text} onType={setText} onChoose={setTable} />}
      {table && !planned && (
        <Preview table={table} onBack={() => setTable(undefined)} onMake={setPlanned} />
      )}
      {table && planned && <Running table={table} planned={planned} onAgain={again} />}
    </Page>
  )
}
