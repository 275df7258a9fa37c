import { definePlugin, endpoint, file, refuse } from '../../core/plugin.ts'
import { asText } from './metrics/exposition.ts'
import { familiesOf } from './metrics/families.ts'
import { watchProcess } from './metrics/watch-process.ts'

/** https://prometheus.io/docs/instrumenting/exposition_formats/#basic-info */
const type = 'text/plain; version=0.0.4; charset=utf-8'

const notAdmin = refuse('insufficient_scope', 'Only admins may do this.', 403, undefined, {
  requiredScope: 'admin',
})

export default definePlugin({
  feature: 'developer.metrics',
  label: 'Metrics',
  about: 'Show metrics of the instance to Prometheus.',
  scopes: ['metrics:read'],
  unstable: { measures: true },
  setup: watchProcess,
  dispose: ({ state }) => state.stop(),
  endpoints: {
    'GET /metrics': endpoint({
      summary: 'Show metrics of the instance in the format of Prometheus',
      scope: 'metrics:read',
      media: ['text/plain'],
      async handle({ caller }, { unstable, state }) {
        if (!caller.isAdmin) return notAdmin
        const { read } = state as ReturnType<typeof watchProcess>
        const { worker, ...measures } = await unstable.measure()
        return file(type, asText(familiesOf(measures, read()), worker ? { worker } : {}), 0)
      },
    }),
  },
})
