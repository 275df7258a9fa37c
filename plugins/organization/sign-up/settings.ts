import { list, number, optional, text } from '../../../core/plugin.ts'

export const settings = {
  domains: list({
    label: 'Allowed domains',
    hint: 'Of e-mail addresses, one in each line, such as example.org. If empty, all.',
    default: [],
    maxEach: 253,
  }),
  plan: optional(
    text({
      label: 'Plan',
      hint: 'Slug of the plan that new accounts get, such as free. If empty, the usual one.',
      max: 64,
    }),
  ),
  most: number({
    label: 'Most accounts',
    hint: 'So many accounts may come by sign-ups. Deleted ones do not count.',
    min: 1,
    default: 100,
  }),
  mostPerHour: number({
    label: 'Most mails in an hour',
    hint: 'For all visitors together; each client gets at most five.',
    min: 1,
    default: 30,
  }),
}
