import { Link } from '@tanstack/react-router'
import { texts } from '../../texts.ts'
import { Bird } from './bird.tsx'
import classes from './brand.module.css'

/** The name of the product, which links to the first page. */
export function Brand() {
  return (
    <Link to="/links" className={classes.brand}>
      <Bird />
      {texts.product}
    </Link>
  )
}
