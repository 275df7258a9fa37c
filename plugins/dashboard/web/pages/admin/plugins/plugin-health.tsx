import type { PluginState } from '../../../api/admin/plugins.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { FailureStack } from './failure-stack.tsx'
import classes from './plugin-health.module.css'

const words = adminTexts.plugins

/** Why a plugin does not run, or which part of it fails. */
export function PluginHealth({ plugin }: { readonly plugin: PluginState }) {
  const { enabled, switchedOn, problem, stack, failures } = plugin
  if (problem) {
    return (
      <>
        <p className={classes.line}>
          {enabled ? words.heldBack : switchedOn ? words.notRunning : words.unreadable}{' '}
          <strong className={classes.problem}>{problem}</strong>
        </p>
        <FailureStack stack={stack} />
      </>
    )
  }
  if (!enabled) return <p className={classes.line}>{words.asleep}</p>
  if (failures.length === 0) return <p className={classes.line}>{words.healthy}</p>
  return (
    <ul className={classes.failures}>
      {failures.map(({ hook, failures, isResting, last, stack }) => (
        <li key={hook}>
          <strong>{words.hook(hook, failures, formatNumber(failures))}</strong>
          <span className={classes.problem}>{last}</span>
          {isResting && <span>{words.resting}</span>}
          <FailureStack stack={stack} />
        </li>
      ))}
    </ul>
  )
}
