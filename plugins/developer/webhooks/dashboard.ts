import { address, choice, type Dashboard, list, text, toggle } from '../../../core/plugin.ts'

const url = address({ label: 'Address', hint: 'As https://example.com/linnet.' })
const name = text({ label: 'Name', hint: 'What it is for.', max: 100 })
const events = list({
  label: 'Events',
  hint: 'One in each line: * for every change, link.* for those of links, or link.created; visits.counted for the visits of each hour.',
  max: 50,
})
const show = { secret: { label: 'Secret' } }

const states = {
  working: { label: 'Working', tone: 'good' },
  failing: { label: 'Failing', tone: 'warning' },
  off: { label: 'Off', tone: 'bad' },
} as const

const deliveryStates = {
  waiting: { label: 'Waiting', tone: 'warning' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  missed: { label: 'Missed' },
} as const

/** A page with the webhooks, a form for another one, and what was sent. */
export const dashboard: Dashboard = {
  page: {
    label: 'Webhooks',
    icon: 'link',
    lead: 'Other programs that are told of every change.',
    panels: [
      {
        title: 'Your webhooks',
        from: 'GET /webhooks',
        table: {
          columns: {
            url: { label: 'Address' },
            name: { label: 'Name' },
            events: { label: 'Events' },
            state: { label: 'State', words: states },
            problem: { label: 'Problem' },
          },
          edit: {
            call: 'PATCH /webhooks/:id',
            fields: { url, name, events, active: toggle({ label: 'On' }) },
            submit: 'Save webhook',
          },
          buttons: [
            {
              label: 'Test',
              call: 'POST /webhooks/:id/test',
              show: {
                state: { label: 'State', words: deliveryStates },
                status: { label: 'Status' },
                answer: { label: 'Answer' },
                problem: { label: 'Problem' },
              },
            },
            {
              label: 'New secret',
              call: 'POST /webhooks/:id/rotate',
              confirm:
                'Messages are signed with both secrets for a day, and then with the new one.',
              show,
            },
            {
              label: 'Delete',
              call: 'DELETE /webhooks/:id',
              confirm: 'Nothing more is sent to it, and its messages are deleted.',
            },
          ],
        },
      },
      {
        title: 'New webhook',
        form: {
          call: 'POST /webhooks',
          fields: {
            url,
            name,
            events,
            covers: choice(['account', 'instance'], {
              label: 'Hears of',
              hint: 'Only admins may choose the whole instance.',
              labels: { account: 'Your account', instance: 'The whole instance' },
            }),
          },
          submit: 'Create webhook',
          show,
        },
      },
      {
        title: 'Messages',
        lead: 'They are kept for seven days.',
        from: 'GET /webhook-deliveries',
        table: {
          columns: {
            timestamp: { label: 'When', as: 'date' },
            type: { label: 'Event' },
            state: { label: 'State', words: deliveryStates },
            status: { label: 'Status' },
            problem: { label: 'Problem' },
          },
          filters: { state: { label: 'State', words: deliveryStates } },
          buttons: [
            {
              label: 'Send again',
              call: 'POST /webhooks/:webhookId/deliveries/:id/redeliver',
              done: 'It is sent again.',
            },
          ],
        },
      },
    ],
  },
}
