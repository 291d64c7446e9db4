/** The name and version of a plan file; a change that breaks a reader gets a new number. */
export const planName = 'vendorctl-plan/2'

/** Documents about this program itself, by the names that are accepted in place of an operation. */
export const documentNames = {
  envelope: 'What --json prints.',
  plan: 'A plan file.',
  jobs: 'The jobs file.',
} as const

/** The name and version of the envelope; a change that breaks a reader gets a new number. */
export const envelopeName = 'vendorctl/1'
