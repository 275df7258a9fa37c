import type { Dashboard } from '../../../core/plugin.ts'
import { kindWords } from './filters.ts'

const columns = {
  at: { label: 'When', as: 'date' },
  who: { label: 'Who' },
  type: { label: 'Event' },
  what: { label: 'What' },
} as const
const columnsForAdmins = {
  at: columns.at,
  who: columns.who,
  address: { label: 'IP' },
  type: columns.type,
  what: columns.what,
} as const

/** The page of admins, and the history beside each link. */
export const dashboard: Dashboard = {
  page: {
    label: 'Audit log',
    icon: 'key',
    lead: 'Who changed what, and when.',
    panels: [
      {
        title: 'Changes',
        from: 'GET /audit-log',
        table: {
          columns: columnsForAdmins,
          filters: { kind: { label: 'Kind', words: kindWords } },
        },
        buttons: [{ label: 'Download', call: 'GET /audit-log/file' }],
      },
    ],
  },
  linkPanel: {
    title: 'History',
    lead: 'Who changed this link. What a change replaced can come back.',
    from: 'GET /links/:link/history',
    table: {
      columns,
      buttons: [
        {
          label: 'Undo',
          call: 'POST /link-history/:id/undo',
          confirm: 'The link gets back what this change replaced.',
          when: { canBeUndone: true },
        },
      ],
    },
  },
}
