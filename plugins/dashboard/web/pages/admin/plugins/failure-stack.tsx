import { CodeBlock } from '../../../shared/copy/code-block.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './failure-stack.module.css'

/** The stack trace of a plugin's failure, for its developer; collapsed at first. */
export function FailureStack({ stack }: { readonly stack: string | null }) {
  if (stack === null) return null
  return (
    <details className={classes.stack}>
      <summary>{adminTexts.plugins.where}</summary>
      <CodeBlock code={stack} copyLabel={adminTexts.plugins.copyStack} />
    </details>
  )
}
