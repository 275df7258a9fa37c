import classes from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

export interface CodeBlockProps {
  readonly code: string
  readonly copyLabel: string
}

/** Text to copy unchanged, for a terminal or a form elsewhere. */
export function CodeBlock({ code, copyLabel }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <pre>{code}</pre>
      <CopyButton text={code} label={copyLabel} />
    </div>
  )
}
