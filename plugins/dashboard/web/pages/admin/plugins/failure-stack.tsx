import { CodeBlock } from '../../../shared/copy/code-block.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './failure-stack.module.css'

/** Where code of a plugin failed, for who works on it: shut until it is asked for. */
export function FailureStack({ stack }: { readonly stack: string | null }) {
  if (stack === null) return null
  return (
    <details className={classes.stack}>
      <summary>{adminTexts.plugins.where}</summary>
      <CodeBlock code={stack} copyLabel={adminTexts.plugins.copyStack} />
    </details>
  )
}
